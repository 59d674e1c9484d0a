import AppStore
import EntitlementDomain
import JSON

/// What customers buy and get back.
extension FakeStoreState {
    /// A new customer who has downloaded the app.
    mutating func addCustomer(in environment: StoreEnvironment) -> Int {
        let id = "70" + nextID(environment)
        return self[environment].add(FakeCustomer(appTransactionID: id, since: now))
    }

    /// Sells a product, and announces it.
    ///
    /// - Returns: the transaction id, which is the line's id as well.
    mutating func buy(
        _ product: FakeProduct,
        account: AccountID?,
        customer: Int? = nil,
        isFamilyShared: Bool = false,
        in environment: StoreEnvironment
    ) throws(FakeStoreError) -> String {
        let customer = customer ?? addCustomer(in: environment)
        let id = nextID(environment)
        var changes = JSONObject()
        changes["appAccountToken"] = account.map { .string($0.description) }
        if isFamilyShared { changes["inAppOwnershipType"] = "FAMILY_SHARED" }
        let end = add(id, original: id, product, customer: customer, reason: "PURCHASE", changes, in: environment)
        guard product.type == .autoRenewable else {
            try announce("ONE_TIME_CHARGE", nil, transaction: id, in: environment)
            return id
        }
        var line = FakeLine(
            id: id,
            customer: customer,
            product: product,
            nextProduct: product,
            currentID: id,
            expiresAt: end ?? now
        )
        line.nextStepAt = line.expiresAt
        self[environment].lines[id] = line
        self[environment].add(line: id, to: customer)
        agenda.add(.billing(environment, line: id), at: line.expiresAt)
        try announce("SUBSCRIBED", "INITIAL_BUY", transaction: id, in: environment)
        return id
    }

    /// Refunds a transaction. Access of the period ends; the subscription does not renew any more.
    mutating func refund(_ id: String, in environment: StoreEnvironment) throws(FakeStoreError) {
        try change(id, in: environment) { [now] payload in
            payload["revocationDate"] = JSONValue(now.milliseconds)
            payload["revocationReason"] = 0
            payload["revocationType"] = "REFUND_FULL"
            payload["revocationPercentage"] = 100_000
        }
        if var line = line(of: id, in: environment), line.currentID == id {
            line.phase = .revoked
            line.autoRenews = false
            line.nextStepAt = nil
            self[environment].lines[line.id] = line
        }
        try announce("REFUND", nil, transaction: id, in: environment)
    }

    /// Takes a refund back.
    mutating func reverseRefund(_ id: String, in environment: StoreEnvironment) throws(FakeStoreError) {
        try change(id, in: environment) { payload in
            for name in ["revocationDate", "revocationReason", "revocationType", "revocationPercentage"] {
                payload[name] = nil
            }
        }
        if var line = line(of: id, in: environment), line.currentID == id, line.phase == .revoked {
            line.phase = line.expiresAt > now ? .active : .expired(intent: 1)
            line.nextStepAt = line.expiresAt > now ? line.expiresAt : nil
            if let at = line.nextStepAt { agenda.add(.billing(environment, line: line.id), at: at) }
            self[environment].lines[line.id] = line
        }
        try announce("REFUND_REVERSED", nil, transaction: id, in: environment)
    }

    /// Asks for consumption information, as when a customer wants a refund.
    mutating func requestConsumption(_ id: String, in environment: StoreEnvironment) throws(FakeStoreError) {
        try announce(
            "CONSUMPTION_REQUEST",
            nil,
            transaction: id,
            data: ["consumptionRequestReason": "UNINTENDED_PURCHASE"],
            in: environment
        )
    }

    // MARK: Shared

    /// The line of a transaction.
    func line(of id: String, in environment: StoreEnvironment) -> FakeLine? {
        self[environment].transactions[id].flatMap { self[environment].lines[$0.originalID] }
    }

    /// Changes a transaction, which moves it to the end of the order of changes.
    mutating func change(
        _ id: String,
        in environment: StoreEnvironment,
        _ body: (inout JSONObject) -> Void
    ) throws(FakeStoreError) {
        guard var transaction = self[environment].transactions[id] else { throw .refused(.transactionIDNotFound) }
        body(&transaction.payload)
        transaction.changed = nextChange()
        self[environment].transactions[id] = transaction
    }

    /// Adds a transaction of now.
    ///
    /// - Returns: the end of the period of a subscription.
    @discardableResult
    mutating func add(
        _ id: String,
        original: String,
        _ product: FakeProduct,
        customer: Int,
        from start: Instant? = nil,
        reason: String,
        _ changes: JSONObject = JSONObject(),
        in environment: StoreEnvironment
    ) -> Instant? {
        let start = start ?? now
        let first = self[environment].transactions[original]
        var payload: JSONObject = [
            "transactionId": .string(id), "originalTransactionId": .string(original),
            "bundleId": .string(app.bundleID), "productId": .string(product.id),
            "purchaseDate": JSONValue(start.milliseconds),
            "originalPurchaseDate": JSONValue(first?.purchasedAt ?? start.milliseconds), "quantity": 1,
            "type": .string(product.type.appStoreName), "inAppOwnershipType": "PURCHASED",
            "environment": .string(environment.rawValue), "transactionReason": .string(reason),
            "storefront": "USA", "storefrontId": "143441", "price": JSONValue(product.price), "currency": "USD",
            "appTransactionId": .string(self[environment].customers[customer].appTransactionID),
        ]
        payload["appAccountToken"] = first?.payload["appAccountToken"]
        payload["inAppOwnershipType"] = first?.payload["inAppOwnershipType"] ?? "PURCHASED"
        var end: Instant?
        if product.type == .autoRenewable {
            end = start.adding(product.period ?? CalendarDuration(months: 1))
            payload["expiresDate"] = end.map { JSONValue($0.milliseconds) }
            payload["webOrderLineItemId"] = .string(nextID(environment))
            payload["subscriptionGroupIdentifier"] = product.group.map(JSONValue.string)
        }
        payload = payload.merging(changes)
        self[environment].transactions[id] = FakeTransaction(
            payload: payload,
            customer: customer,
            changed: nextChange()
        )
        self[environment].add(transaction: id, to: customer)
        self[environment].orders["M" + id, default: []].append(id)
        return end
    }
}
