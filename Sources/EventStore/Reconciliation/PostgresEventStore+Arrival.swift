import Postgres

extension PostgresEventStore {
    private static let known = PreparedStatement(
        "SELECT EXISTS (SELECT FROM entitled.statements WHERE statement_id = $1::bytea)"
    )

    /// Whether a statement with this identity is in the log.
    package func hasStatement(_ identity: [UInt8]) async throws(StoreError) -> Bool {
        try await reading { try $0.query(Self.known, [.bytea(identity)]).bool(0, 0) }
    }
}
