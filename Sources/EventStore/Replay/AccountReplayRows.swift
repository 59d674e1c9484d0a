import EntitlementDomain
import Postgres

/// What the replay of one account reads.
enum AccountReplayRows {
    /// An account folded from the log.
    struct Folded {
        var lines: [FoldedLine]
        var owned: [LineState]
        var row: FoldedAccount?
        var eventCount: Int64

        var account: Account { Account(lines: owned, state: row?.state ?? AccountState()) }
    }

    /// $1 account, $2 environment: lines that the projections or an explicit event give to the account.
    private static let known = PreparedStatement(
        """
        SELECT line_id FROM (\(LinesEverOwned.keys(of: "= $1::uuid", in: "$2::text"))) o
        UNION SELECT line_id FROM entitled.events
            WHERE account = $1::uuid AND environment = $2::text AND line_id IS NOT NULL
        """
    )

    /// $1 account, $2 environment: lines with a purchase that names the account. Reads the whole log.
    private static let named = PreparedStatement(
        """
        SELECT DISTINCT line_id FROM entitled.events
        WHERE app_account_token = $1::uuid AND environment = $2::text AND line_id IS NOT NULL
        """
    )

    private static func live(_ columns: String, _ table: String) -> PreparedStatement {
        PreparedStatement(
            """
            SELECT \(columns) FROM entitled.\(table)
            WHERE line_id = ANY ($1::text[]) AND environment = $2::text
            """
        )
    }

    private static let liveLines = live(LiveLine.columns, "lines")
    private static let liveHistory = live(LiveLine.historyColumns, "line_history")
    private static let liveEntitlements = live(LiveLine.entitlementColumns, "entitlements")
    private static let liveOwners = live(LiveLine.ownerColumns, "former_owners")

    /// $1 account, $2 environment.
    private static let account = PreparedStatement(
        "SELECT position, state FROM entitled.accounts WHERE account = $1::uuid AND environment = $2::text"
    )

    static func lineIDs(
        of key: LogFold.AccountKey,
        searchesLog: Bool,
        _ session: PostgresSession
    ) throws -> [String] {
        let parameters: [PostgresValue] = [.uuid(key.account.uuid), .text(key.environment.rawValue)]
        var ids: Set<String> = []
        for statement in searchesLog ? [known, named] : [known] {
            let found = try session.query(statement, parameters)
            for row in found.rows { ids.insert(try found.text(row, 0)) }
        }
        return ids.sorted()
    }

    static func folded(
        _ ids: [String],
        of key: LogFold.AccountKey,
        upTo: Int64,
        _ session: PostgresSession
    ) throws -> Folded {
        let environments = [String?](repeating: key.environment.rawValue, count: ids.count)
        let events = try session.query(
            CatchUpStatements.eventsOfLines,
            [.textArray(ids), .textArray(environments), .int8(upTo)]
        )
        var lines: [LineID: FoldedLine] = [:]
        for row in events.rows {
            let event = try EventRecord(events, row)
            guard let id = event.line else { continue }
            lines[id, default: FoldedLine(id)].apply(event)
        }
        let own = try session.query(
            CatchUpStatements.eventsOfAccounts,
            [.uuidArray([key.account.uuid]), .textArray([key.environment.rawValue]), .int8(upTo)]
        )
        var row: FoldedAccount?
        for place in own.rows {
            let event = try EventRecord(own, place)
            guard let command = event.accountCommand else { continue }
            row = row ?? FoldedAccount()
            row?.apply(event, command)
        }
        return Folded(
            lines: lines.values.sorted { $0.state.id < $1.state.id },
            owned: lines.values.filter { $0.owner == key.account }.map(\.state),
            row: row,
            eventCount: Int64(events.rowCount + own.rowCount)
        )
    }

    static func live(
        _ ids: [String],
        _ environment: StoreEnvironment,
        _ session: PostgresSession
    ) throws -> [LineID: LiveLine] {
        let parameters: [PostgresValue] = [.textArray(ids), .text(environment.rawValue)]
        let lines = try session.query(liveLines, parameters)
        let history = try session.query(liveHistory, parameters)
        let entitlements = try session.query(liveEntitlements, parameters)
        let owners = try session.query(liveOwners, parameters)
        var found: [LineID: LiveLine] = [:]
        for row in lines.rows {
            let fields = EventResultFields(result: lines, row: row)
            try found[try LiveLine.id(fields), default: LiveLine()].add(line: fields)
        }
        for row in history.rows {
            let fields = EventResultFields(result: history, row: row)
            try found[try LiveLine.id(fields), default: LiveLine()].add(history: fields)
        }
        for row in entitlements.rows {
            let fields = EventResultFields(result: entitlements, row: row)
            try found[try LiveLine.id(fields), default: LiveLine()].add(entitlement: fields)
        }
        for row in owners.rows {
            let fields = EventResultFields(result: owners, row: row)
            try found[try LiveLine.id(fields), default: LiveLine()].add(formerOwner: fields)
        }
        return found
    }

    static func liveAccount(_ key: LogFold.AccountKey, _ session: PostgresSession) throws -> LiveAccount? {
        let found = try session.query(account, [.uuid(key.account.uuid), .text(key.environment.rawValue)])
        if found.isEmpty { return nil }
        return LiveAccount(position: try found.int64(0, 0), state: try found.bytes(0, 1))
    }
}
