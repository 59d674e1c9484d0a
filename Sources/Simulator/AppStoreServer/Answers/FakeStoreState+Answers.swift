import AppStore
import EntitlementDomain
import JSON

/// Answers calls of the App Store Server API.
extension FakeStoreState {
    /// What a call is answered with.
    mutating func answer(_ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        switch call.route {
        case .transactionInfo(let id): return try transactionInfo(id, call)
        case .history(let id, let isVersion2): return try history(id, isVersion2: isVersion2, call)
        case .statuses(let id): return try statuses(id, call)
        case .refunds(let id, let isVersion2): return try refunds(id, isVersion2: isVersion2, call)
        case .order(let id): return try order(id, call)
        case .consumption(let id, let isVersion2): return try consumption(id, isVersion2: isVersion2, call)
        case .extend(let id): return try extend(id, call)
        case .massExtend: return try massExtend(call)
        case .massExtendStatus(let productID, let request): return try massStatus(productID, request, call)
        case .notificationHistory: return try notificationHistory(call)
        case .testNotification: return try testNotification(call)
        case .testNotificationStatus(let token): return try testStatus(token, call)
        case .setAppAccountToken(let id): return try setAppAccountToken(id, call)
        case .appTransaction(let id): return try appTransaction(id, call)
        case .finish(let id): return try finish(id, call)
        }
    }

    /// A transaction that is named by its own id.
    func transaction(
        _ id: String,
        invalid: ServerAPIErrorCode = .invalidTransactionID,
        unknown: ServerAPIErrorCode = .transactionIDNotFound,
        in environment: StoreEnvironment
    ) throws(FakeStoreError) -> FakeTransaction {
        if self[environment].isAppTransaction(id) { throw .refused(.appTransactionIDNotSupported) }
        guard !id.isEmpty, id.allSatisfy({ $0.isASCII && $0.isNumber }) else { throw .refused(invalid) }
        guard let transaction = self[environment].transactions[id] else { throw .refused(unknown) }
        return transaction
    }

    /// A customer who is named by any id.
    func customer(_ id: String, in environment: StoreEnvironment) throws(FakeStoreError) -> FakeCustomer {
        guard !id.isEmpty, id.allSatisfy({ $0.isASCII && $0.isNumber }) else { throw .refused(.invalidTransactionID) }
        guard let customer = self[environment].customer(id) else { throw .refused(.transactionIDNotFound) }
        return self[environment].customers[customer]
    }

    // MARK: Transactions

    private func transactionInfo(_ id: String, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        let transaction = try transaction(id, in: call.environment)
        return FakeAnswer(["signedTransactionInfo": .string(try signed(transaction.payload))])
    }

    private func statuses(_ id: String, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        let customer = try customer(id, in: call.environment)
        var wanted: Set<Int64> = []
        for text in call.values("status") {
            guard let status = Int64(text), (1...5).contains(status) else { throw .refused(.invalidStatus) }
            wanted.insert(status)
        }
        var groups: [String: [JSONValue]] = [:]
        for lineID in customer.lineIDs {
            guard let line = self[call.environment].lines[lineID] else { continue }
            guard wanted.isEmpty || wanted.contains(line.status) else { continue }
            groups[line.product.group ?? "", default: []].append([
                "status": JSONValue(line.status), "originalTransactionId": .string(line.id),
                "signedTransactionInfo": .string(try signed(transaction: line.currentID, in: call.environment)),
                "signedRenewalInfo": .string(try signed(renewalInfo(line, in: call.environment))),
            ])
        }
        var body = about(call.environment)
        body["data"] = .array(
            groups.sorted { $0.key < $1.key }.map {
                ["subscriptionGroupIdentifier": .string($0.key), "lastTransactions": .array($0.value)]
            }
        )
        return FakeAnswer(body)
    }

    private func order(_ id: String, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        let ids = call.environment == .production ? self[.production].orders[id] ?? [] : []
        var texts: [JSONValue] = []
        for id in ids { texts.append(.string(try signed(transaction: id, in: call.environment))) }
        return FakeAnswer(["status": ids.isEmpty ? 1 : 0, "signedTransactions": .array(texts)])
    }

    private func appTransaction(_ id: String, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        let customer = try customer(id, in: call.environment)
        var payload: JSONObject = [
            "receiptType": .string(call.environment.rawValue), "bundleId": .string(app.bundleID),
            "applicationVersion": "1.0", "originalApplicationVersion": "1.0",
            "originalPurchaseDate": JSONValue(customer.since.milliseconds),
            "appTransactionId": .string(customer.appTransactionID), "originalPlatform": "iOS",
        ]
        if call.environment == .production { payload["appAppleId"] = JSONValue(app.appAppleID) }
        return FakeAnswer(["signedAppTransactionInfo": .string(try signed(payload, date: "receiptCreationDate"))])
    }

    private mutating func setAppAccountToken(_ id: String, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        guard let text = call.body?["appAccountToken"]?.stringValue, let token = AccountID(text) else {
            throw .refused(.invalidAppAccountTokenUUID)
        }
        let transaction = try transaction(id, unknown: .originalTransactionIDNotFound, in: call.environment)
        guard transaction.originalID == id else { throw .refused(.transactionIDIsNotOriginal) }
        guard !transaction.isFamilyShared else { throw .refused(.familyTransactionNotSupported) }
        for related in self[call.environment].customers[transaction.customer].transactionIDs
        where self[call.environment].transactions[related]?.originalID == id {
            try change(related, in: call.environment) { $0["appAccountToken"] = .string(token.description) }
        }
        return FakeAnswer(status: 200)
    }

    private mutating func finish(_ id: String, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        _ = try transaction(id, in: call.environment)
        self[call.environment].transactions[id]?.isFinished = true
        return FakeAnswer(status: 200)
    }

    private mutating func consumption(
        _ id: String,
        isVersion2: Bool,
        _ call: FakeCall
    ) throws(FakeStoreError) -> FakeAnswer {
        guard let body = call.body else { throw .refused(.generalBadRequest) }
        try isVersion2 ? FakeConsumption.check2(body) : FakeConsumption.check1(body)
        let transaction: FakeTransaction
        do {
            transaction = try self.transaction(id, in: call.environment)
        } catch .refused(.transactionIDNotFound) where !isVersion2 {
            // The old endpoint says it without a code.
            return FakeAnswer(status: 404)
        }
        guard !transaction.isFamilyShared else { throw .refused(.familyTransactionNotSupported) }
        if !isVersion2, transaction.payload["type"] != "Consumable" {
            throw .refused(.invalidTransactionNotConsumable)
        }
        self[call.environment].consumption[id] = body
        return FakeAnswer(status: 202)
    }

    // MARK: Extensions

    private mutating func extend(_ id: String, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        let days = try FakeExtension.days(call.body)
        let transaction = try transaction(
            id,
            invalid: .invalidOriginalTransactionID,
            unknown: .originalTransactionIDNotFound,
            in: call.environment
        )
        let end = try extend(transaction.originalID, days: days, in: call.environment)
        let line = self[call.environment].lines[transaction.originalID]
        let current = line.flatMap { self[call.environment].transactions[$0.currentID] }
        return FakeAnswer([
            "originalTransactionId": .string(transaction.originalID),
            "webOrderLineItemId": current?.payload["webOrderLineItemId"] ?? .null, "success": true,
            "effectiveDate": JSONValue(end.milliseconds),
        ])
    }

    private mutating func massExtend(_ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        let days = try FakeExtension.days(call.body)
        let request = call.body?["requestIdentifier"]?.stringValue ?? ""
        try FakeExtension.checkStorefronts(call.body)
        guard let productID = call.body?["productId"]?.stringValue, !productID.isEmpty else {
            throw .refused(.invalidProductID)
        }
        let lines = self[call.environment].lines.values.filter { $0.product.id == productID }.map(\.id).sorted()
        var (succeeded, failed): (Int64, Int64) = (0, 0)
        for line in lines {
            do throws(FakeStoreError) {
                _ = try extend(line, days: days, in: call.environment)
                succeeded += 1
            } catch {
                guard case .refused = error else { throw error }
                failed += 1
            }
        }
        self[call.environment].massExtensions[request] = (productID, succeeded, failed, now)
        return FakeAnswer(["requestIdentifier": .string(request)])
    }

    private func massStatus(_ productID: String, _ request: String, _ call: FakeCall) throws(FakeStoreError)
        -> FakeAnswer
    {
        guard let known = self[call.environment].massExtensions[request], known.productID == productID else {
            throw .refused(.statusRequestNotFound)
        }
        return FakeAnswer([
            "requestIdentifier": .string(request), "complete": true, "completeDate": JSONValue(known.at.milliseconds),
            "succeededCount": JSONValue(known.succeeded), "failedCount": JSONValue(known.failed),
        ])
    }

    /// The members that several responses begin with.
    func about(_ environment: StoreEnvironment) -> JSONObject {
        var body: JSONObject = ["environment": .string(environment.rawValue), "bundleId": .string(app.bundleID)]
        if environment == .production { body["appAppleId"] = JSONValue(app.appAppleID) }
        return body
    }
}
