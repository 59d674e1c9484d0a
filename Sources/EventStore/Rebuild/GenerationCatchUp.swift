import EntitlementDomain
import Postgres

/// Brings a new generation from one position of the log to a later one: what the events between concern is folded again,
/// whole, from the log.
struct GenerationCatchUp {
    let policy: Policy

    /// Lines or accounts that are folded together.
    private static let pageLength = 200

    /// Runs inside of a transaction.
    ///
    /// - Parameter catalog: the one that the generation's entitlements are projected with.
    /// - Returns: positions of the catalogs that came into force between.
    func run(after: Int64, upTo: Int64, catalog: Catalog, _ session: PostgresSession) throws -> [Int64] {
        try session.execute("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off")
        let range: [PostgresValue] = [.int8(after), .int8(upTo)]
        let writer = GenerationWriter(catalog: catalog, policy: policy)
        let lines = try session.query(CatchUpStatements.changedLines, range)
        try pages(lines.rowCount) { rows in
            let keys: [PostgresValue] = [
                .textArray(try rows.map { try lines.text($0, 0) }), .textArray(try rows.map { try lines.text($0, 1) }),
            ]
            try refoldLines(keys, upTo: upTo, writer, session)
        }
        let accounts = try session.query(CatchUpStatements.changedAccounts, range)
        try pages(accounts.rowCount) { rows in
            let keys: [PostgresValue] = [
                .uuidArray(try rows.map { try accounts.uuid($0, 0) }),
                .textArray(try rows.map { try accounts.text($0, 1) }),
            ]
            try refoldAccounts(keys, upTo: upTo, session)
        }
        let catalogs = try session.query(CatchUpStatements.newCatalogs, range)
        return try catalogs.rows.map { try catalogs.int64($0, 0) }
    }

    private func pages(_ count: Int, _ body: (Range<Int>) throws -> Void) throws {
        for start in stride(from: 0, to: count, by: Self.pageLength) {
            try body(start..<min(start + Self.pageLength, count))
        }
    }

    private func refoldLines(
        _ keys: [PostgresValue],
        upTo: Int64,
        _ writer: GenerationWriter,
        _ session: PostgresSession
    ) throws {
        let events = try session.query(CatchUpStatements.eventsOfLines, keys + [.int8(upTo)])
        var folded: [LineID: FoldedLine] = [:]
        for row in events.rows {
            let event = try EventRecord(events, row)
            guard let id = event.line else { continue }
            folded[id, default: FoldedLine(id)].apply(event)
        }
        for statement in CatchUpStatements.dropLines { try session.query(statement, keys) }
        try writer.write(folded.values.sorted { $0.state.id < $1.state.id }, session)
    }

    private func refoldAccounts(_ keys: [PostgresValue], upTo: Int64, _ session: PostgresSession) throws {
        let events = try session.query(CatchUpStatements.eventsOfAccounts, keys + [.int8(upTo)])
        var accounts: [LogFold.AccountKey: FoldedAccount] = [:]
        for row in events.rows {
            let event = try EventRecord(events, row)
            guard let account = event.account, let command = event.accountCommand else { continue }
            let key = LogFold.AccountKey(environment: event.environment, account: account)
            accounts[key, default: FoldedAccount()].apply(event, command)
        }
        try upsert(accounts, session)
    }

    private func upsert(_ accounts: [LogFold.AccountKey: FoldedAccount], _ session: PostgresSession) throws {
        if accounts.isEmpty { return }
        let rows = Array(accounts)
        try session.query(
            CatchUpStatements.upsertAccounts,
            [
                .textArray(rows.map(\.key.environment.rawValue)), .uuidArray(rows.map(\.key.account.uuid)),
                .int8Array(rows.map(\.value.position)),
                .byteaArray(rows.map { ($0.value.state ?? AccountState()).encoded }),
            ]
        )
    }

    /// Projects what all lines grant anew, with another catalog. Runs inside of a transaction.
    func project(_ catalog: Catalog, _ session: PostgresSession) throws {
        try session.execute("TRUNCATE \(GenerationTables.schema).entitlements")
        let writer = GenerationWriter(catalog: catalog, policy: policy)
        var start = [PostgresValue](repeating: .text(""), count: 5)
        while true {
            let page = try session.query(CatchUpStatements.linesAfter, start + [.int8(2_000)])
            let lines = try page.rows.map { try LineRow.read(page, $0) }
            guard let last = lines.last?.id else { return }
            try writer.writeEntitlements(of: lines, session)
            start = [
                .text(last.originalTransactionID), .text(last.environment.rawValue), .text(last.bundleID),
                .text(last.store.rawValue), .text(last.ownership.rawValue),
            ]
        }
    }
}
