import EntitlementDomain
import Postgres

/// The names of accounts that an import has written or is about to: the last ones in memory, the others in the database.
struct ImportNames {
    /// So many are kept in memory between two batches.
    var capacity: Int
    private var names: [AccountID: AccountName] = [:]
    private var hasForgotten = false

    /// $1 pseudonyms.
    private static let find = PreparedStatement(
        """
        SELECT account, environment, pseudonym, evidence_key FROM entitled.account_names WHERE pseudonym = ANY ($1::uuid[])
        """
    )

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Brings the names that a batch of events speaks of into memory.
    ///
    /// - Returns: those that the database does not have yet.
    mutating func prepare(_ events: [ArchiveReader.Event], _ session: PostgresSession) throws -> [AccountName] {
        if hasForgotten { try load(events, session) }
        var new: [AccountName] = []
        for event in events {
            for (pseudonym, account) in event.accounts where names[pseudonym] == nil {
                let key = AppendPlan.AccountKey(
                    environment: StoreEnvironment(rawValue: event.environment),
                    account: account
                )
                let name = AccountName(key: key, pseudonym: pseudonym, evidenceKey: AccountName.randomKey())
                names[pseudonym] = name
                new.append(name)
            }
        }
        return new
    }

    /// The key that an account's texts are sealed with; nil for an account without a name.
    func evidenceKey(of pseudonym: AccountID) -> [UInt8]? { names[pseudonym]?.evidenceKey }

    /// To be called behind a batch, when its names are in the database.
    mutating func forgetSome() {
        guard names.count > capacity else { return }
        names.removeAll()
        hasForgotten = true
    }

    private mutating func load(_ events: [ArchiveReader.Event], _ session: PostgresSession) throws {
        let wanted = events.reduce(into: Set<AccountID>()) { wanted, event in
            wanted.formUnion(event.tokens)
            wanted.formUnion(event.accounts.map(\.pseudonym))
        }
        let unknown = wanted.filter { names[$0] == nil }
        if unknown.isEmpty { return }
        let found = try session.query(Self.find, [.uuidArray(unknown.map(\.uuid))])
        for row in found.rows {
            let name = AccountName(
                key: AppendPlan.AccountKey(
                    environment: StoreEnvironment(rawValue: try found.text(row, 1)),
                    account: AccountID(try found.uuid(row, 0))
                ),
                pseudonym: AccountID(try found.uuid(row, 2)),
                evidenceKey: try found.bytes(row, 3)
            )
            names[name.pseudonym] = name
        }
    }
}
