package import EntitlementDomain

/// One way in which the live projections differ from a fresh fold of the log.
package struct ProjectionDifference: Sendable, Hashable {
    /// The projection. The raw values are part of the JSON-RPC contract.
    package enum Table: String, Sendable, Hashable, CaseIterable {
        case lines
        case lineHistory
        case formerOwners
        case entitlements
        case accounts
        case catalogs
        /// Not a projection: what follows for one account from all of them.
        case answers
    }

    package var table: Table
    package var line: LineID?
    package var environment: StoreEnvironment?
    package var account: AccountID?
    package var entitlement: String?
    /// What of it: `row`, `owner`, `position`, `transactions`, `renewals`, `link`, `holds`, `grants`, `spends`, …
    package var field: String
    /// As it stands in the database; nil: it is not there.
    package var live: String?
    /// As it follows from the log; nil: it should not be there.
    package var replayed: String?
    /// Positions of the events behind it, the first ones.
    package var events: [Int64] = []

    init(_ table: Table, line: LineID, entitlement: String? = nil, account: AccountID? = nil, field: String) {
        self.table = table
        self.line = line
        environment = line.environment
        self.entitlement = entitlement
        self.account = account
        self.field = field
    }

    init(account: LogFold.AccountKey, field: String) {
        table = .accounts
        environment = account.environment
        self.account = account.account
        self.field = field
    }

    init(catalogAt position: Int64) {
        table = .catalogs
        field = "row"
        events = [position]
    }

    init(answerFor account: LogFold.AccountKey, entitlement: String) {
        table = .answers
        environment = account.environment
        self.account = account.account
        self.entitlement = entitlement
        field = "answer"
    }

    /// The same with both sides.
    func with(live: String?, replayed: String?) -> ProjectionDifference {
        var copy = self
        copy.live = live
        copy.replayed = replayed
        return copy
    }
}
