import EntitlementDomain
import Postgres

/// The live projections, read within the snapshot of a scan of the log and sorted into the same buckets.
final class LiveRows: Sendable {
    private let lines: Spill
    private let history: Spill
    private let entitlements: Spill
    private let owners: Spill
    private let accounts: Spill
    private let tables: WorkQueue

    init(beside scan: LogScan, settings: LogScan.Settings) {
        func spill(_ name: String) -> Spill {
            Spill(
                name,
                bucketCount: scan.bucketCount,
                directory: settings.directory,
                memoryLimit: settings.memoryLimit / 4
            )
        }
        lines = spill("live-lines")
        history = spill("live-history")
        entitlements = spill("live-entitlements")
        owners = spill("live-owners")
        accounts = spill("live-accounts")
        tables = WorkQueue(5)
    }

    /// Reads tables until none is left; several sessions do so side by side.
    func read(_ session: PostgresSession) throws {
        while let number = tables.next() {
            switch number {
            case 0: try read("lines", LiveLine.columns, key: [0, 1], into: lines, session)
            case 1: try read("entitlements", LiveLine.entitlementColumns, key: [0, 1], into: entitlements, session)
            case 2: try read("line_history", LiveLine.historyColumns, key: [0, 1], into: history, session)
            case 3: try read("former_owners", LiveLine.ownerColumns, key: [0, 1], into: owners, session)
            default:
                try read("accounts", "account, environment, position, state", key: [0], into: accounts, session)
            }
        }
    }

    private func read(
        _ table: String,
        _ columns: String,
        key: [Int],
        into spill: Spill,
        _ session: PostgresSession
    ) throws {
        try session.copyOutRows(
            "COPY (SELECT \(columns) FROM entitled.\(table)) TO STDOUT WITH (FORMAT binary)"
        ) { row in
            if let hash = try KeyHash.of(key, row) { try spill.append(row, hash: hash) }
        }
    }

    /// The lines of one bucket.
    func lines(inBucket bucket: Int) throws -> [LineID: LiveLine] {
        var found: [LineID: LiveLine] = [:]
        try lines.rows(of: bucket).readAll { _, row in
            try found[try LiveLine.id(row), default: LiveLine()].add(line: row)
        }
        try history.rows(of: bucket).readAll { _, row in
            try found[try LiveLine.id(row), default: LiveLine()].add(history: row)
        }
        try entitlements.rows(of: bucket).readAll { _, row in
            try found[try LiveLine.id(row), default: LiveLine()].add(entitlement: row)
        }
        try owners.rows(of: bucket).readAll { _, row in
            try found[try LiveLine.id(row), default: LiveLine()].add(formerOwner: row)
        }
        for spill in [lines, history, entitlements, owners] { spill.drop(bucket) }
        return found
    }

    /// The accounts of one bucket.
    func accounts(inBucket bucket: Int) throws -> [LogFold.AccountKey: LiveAccount] {
        var found: [LogFold.AccountKey: LiveAccount] = [:]
        try accounts.rows(of: bucket).readAll { _, row in
            let key = LogFold.AccountKey(
                environment: StoreEnvironment(rawValue: try row.text(1)),
                account: AccountID(try row.uuid(0))
            )
            found[key] = LiveAccount(position: try row.int64(2), state: try row.bytes(3))
        }
        accounts.drop(bucket)
        return found
    }
}
