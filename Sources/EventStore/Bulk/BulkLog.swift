package import EntitlementDomain
package import Postgres

/// Appends many events at once, as the append path would write them, hash chain included, but without the decisions: for
/// measurements on large databases.
///
/// Signed texts, statement ids and projections are not written: a rebuild makes the projections afterwards.
package struct BulkLog: Sendable {
    /// Events written in one transaction.
    private static let groupLength: Int64 = 250_000

    package init() {}

    /// Runs as the owner of the database, with no service beside it.
    ///
    /// - Parameters:
    ///   - count: how many events.
    ///   - event: makes the event with this number, 0 for the first, with pseudonyms for accounts (`name`); its `position` and
    ///     `hash` are not looked at.
    /// - Throws: `PostgresError`.
    package func append(
        _ count: Int64,
        to configuration: PostgresConfiguration,
        progress: @escaping @Sendable (AuditProgress) -> Void = { _ in },
        event: @escaping @Sendable (Int64) -> EventRecord
    ) async throws {
        try await PostgresThread.withSession(configuration) { session in
            var done: Int64 = 0
            while done < count {
                let length = min(Self.groupLength, count - done)
                try session.transaction { try append(length, $0) { event(done + $0) } }
                done += length
                progress(AuditProgress(phase: "writing events", done: done, total: count))
            }
        }
    }

    /// Gives accounts the pseudonyms under which events have them. Runs as the owner of the database.
    ///
    /// - Parameter pair: the account with this number, 0 for the first, and its pseudonym.
    /// - Throws: `PostgresError`.
    package func name(
        _ count: Int,
        in environment: StoreEnvironment,
        of configuration: PostgresConfiguration,
        pair: @escaping @Sendable (Int) -> (account: AccountID, pseudonym: AccountID)
    ) async throws {
        try await PostgresThread.withSession(configuration) { session in
            _ = try session.copyIn("COPY entitled.account_names FROM STDIN WITH (FORMAT binary)") { writer in
                for number in 0..<count {
                    let (account, pseudonym) = pair(number)
                    try writer.writeRow([
                        .uuid(account.uuid), .text(environment.rawValue), .uuid(pseudonym.uuid),
                        .bytea(AccountName.randomKey()),
                    ])
                }
            }
        }
    }

    /// - Parameter event: makes the event with this number, 0 for the first.
    private func append(_ count: Int64, _ session: PostgresSession, _ event: (Int64) -> EventRecord) throws {
        let head = try session.query(AppendStatements.lockHead)
        let first = try head.int64(0, 1) + 1
        var hash = try head.bytes(0, 2)
        var recordedAt = try head.timestamp(0, 4)
        let span = AppendStatements.positionsPerPartition
        for number in first / span...(first + count - 1) / span {
            try session.query(AppendStatements.ensurePartition, [.int8(max(number * span, 1))])
        }
        _ = try session.copyIn(EventCopy.command) { writer in
            for number in 0..<count {
                var record = event(number)
                record.position = first + number
                recordedAt = max(recordedAt, record.recordedAt.microseconds)
                let row = EventRow(record)
                hash = row.hash(after: hash)
                try EventCopy.write(row, hash: hash, to: writer)
            }
        }
        try session.query(
            AppendStatements.moveHead,
            [
                .int8(first + count - 1), .bytea(hash), .int8(0), .timestamptz(recordedAt),
                .int8(0), .bool(false),
            ]
        )
    }
}
