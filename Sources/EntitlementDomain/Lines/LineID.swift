/// The key of a line of purchases: all transactions of one store, environment and app under one
/// `originalTransactionId`. A family member's shared transactions form a line of their own.
package struct LineID: Sendable, Hashable, Comparable {
    package var store: Store
    package var environment: StoreEnvironment
    package var bundleID: String
    package var originalTransactionID: String
    package var ownership: Ownership

    package init(
        store: Store = .appStore,
        environment: StoreEnvironment,
        bundleID: String,
        originalTransactionID: String,
        ownership: Ownership = .purchased
    ) {
        self.store = store
        self.environment = environment
        self.bundleID = bundleID
        self.originalTransactionID = originalTransactionID
        self.ownership = ownership
    }

    /// Hashes what nearly always tells lines apart; a log has few environments and apps.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(originalTransactionID)
    }

    package static func < (left: LineID, right: LineID) -> Bool {
        if left.environment != right.environment { return left.environment < right.environment }
        if left.bundleID != right.bundleID { return left.bundleID < right.bundleID }
        if left.originalTransactionID != right.originalTransactionID {
            return left.originalTransactionID < right.originalTransactionID
        }
        if left.ownership != right.ownership { return left.ownership < right.ownership }
        return left.store < right.store
    }
}
