import EntitlementDomain

/// The state column of table `accounts`.
enum AccountRow {
    /// - Throws: `StoreError.failed` for a state that this version cannot read.
    static func state(_ bytes: [UInt8]?) throws -> AccountState {
        guard let bytes else { return AccountState() }
        do {
            return try AccountState(encoded: bytes)
        } catch {
            throw StoreError.failed("the state of an account cannot be read (\(error)); run 'entitled rebuild'")
        }
    }
}
