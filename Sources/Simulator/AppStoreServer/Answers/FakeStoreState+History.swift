import AppStore
import EntitlementDomain
import JSON

/// Pages of transactions.
extension FakeStoreState {
    private static let pageSize = 20
    private static let productTypes: [String: ProductType] = [
        "AUTO_RENEWABLE": .autoRenewable, "NON_RENEWABLE": .nonRenewing, "CONSUMABLE": .consumable,
        "NON_CONSUMABLE": .nonConsumable,
    ]

    func history(_ id: String, isVersion2: Bool, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        let customer = try customer(id, in: call.environment)
        let isDescending = try call.choice("sort", of: ["ASCENDING", "DESCENDING"], else: .invalidSort) == "DESCENDING"
        var transactions = customer.transactionIDs.compactMap { self[call.environment].transactions[$0] }
        let start = try call.milliseconds("startDate", else: .invalidStartDate)
        let end = try call.milliseconds("endDate", else: .invalidEndDate)
        if let start, let end, start >= end { throw .refused(.startDateAfterEndDate) }
        if let start { transactions.removeAll { $0.purchasedAt < start } }
        if let end { transactions.removeAll { $0.purchasedAt >= end } }
        let types = call.values("productType")
        guard types.allSatisfy({ Self.productTypes[$0] != nil }) else { throw .refused(.invalidProductType) }
        if !types.isEmpty {
            let names = types.compactMap { Self.productTypes[$0]?.appStoreName }
            transactions.removeAll { !names.contains($0.payload["type"]?.stringValue ?? "") }
        }
        let products = call.values("productId")
        guard !products.contains("") else { throw .refused(.invalidProductID) }
        if !products.isEmpty {
            transactions.removeAll { !products.contains($0.payload["productId"]?.stringValue ?? "") }
        }
        let groups = call.values("subscriptionGroupIdentifier")
        guard !groups.contains("") else { throw .refused(.invalidSubscriptionGroupIdentifier) }
        if !groups.isEmpty {
            transactions.removeAll { !groups.contains($0.payload["subscriptionGroupIdentifier"]?.stringValue ?? "") }
        }
        let ownership = try call.choice(
            "inAppOwnershipType",
            of: ["PURCHASED", "FAMILY_SHARED"],
            else: .invalidInAppOwnershipType
        )
        if let ownership { transactions.removeAll { $0.payload["inAppOwnershipType"] != .string(ownership) } }
        if let revoked = try call.choice("revoked", of: ["true", "false"], else: .invalidRevoked) {
            transactions.removeAll { $0.isRevoked != (revoked == "true") }
        }
        let excludes = try call.choice("excludeRevoked", of: ["true", "false"], else: .invalidExcludeRevoked)
        if excludes == "true" { transactions.removeAll(where: \.isRevoked) }
        // The old endpoint leaves finished consumables out.
        if !isVersion2 { transactions.removeAll { $0.payload["type"] == "Consumable" && $0.isFinished } }
        return try page(transactions, isDescending: isDescending, call)
    }

    func refunds(_ id: String, isVersion2: Bool, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        let customer = try customer(id, in: call.environment)
        let refunded = customer.transactionIDs.compactMap { self[call.environment].transactions[$0] }
            .filter(\.isRevoked)
        guard isVersion2 else {
            var texts: [JSONValue] = []
            for transaction in refunded { texts.append(.string(try signed(transaction.payload))) }
            return FakeAnswer(["signedTransactions": .array(texts)])
        }
        return try page(refunded, isDescending: false, call)
    }

    /// One page in the order of changes. A revision names the last change that was seen.
    private func page(_ transactions: [FakeTransaction], isDescending: Bool, _ call: FakeCall) throws(FakeStoreError)
        -> FakeAnswer
    {
        var seen: Int64?
        if let revision = call.value("revision") {
            let prefix = isDescending ? "d_" : "a_"
            guard revision.hasPrefix(prefix), let number = Int64(revision.dropFirst(2)) else {
                throw .refused(.invalidRequestRevision)
            }
            seen = number
        }
        let rest = transactions.filter { transaction in
            seen.map { isDescending ? transaction.changed < $0 : transaction.changed > $0 } ?? true
        }.sorted { isDescending ? $0.changed > $1.changed : $0.changed < $1.changed }
        let page = rest.prefix(Self.pageSize)
        var texts: [JSONValue] = []
        for transaction in page { texts.append(.string(try signed(transaction.payload))) }
        let last = page.last?.changed ?? seen ?? 0
        var body = about(call.environment)
        body["revision"] = .string("\(isDescending ? "d_" : "a_")\(last)")
        body["hasMore"] = JSONValue(rest.count > page.count)
        body["signedTransactions"] = .array(texts)
        return FakeAnswer(body)
    }
}
