import EntitlementDomain
import Postgres

/// Writes folded lines and accounts as rows of the new generation's tables.
struct GenerationWriter: Sendable {
    let catalog: Catalog
    let policy: Policy

    private static func copy(_ table: String, _ columns: String) -> String {
        "COPY \(GenerationTables.schema).\(table) (\(columns)) FROM STDIN WITH (FORMAT binary)"
    }

    /// Adds the rows of lines that the tables do not have.
    func write(_ lines: [FoldedLine], _ session: PostgresSession) throws {
        if lines.isEmpty { return }
        let divided = lines.map { $0.state.divided() }
        try session.copyIn(Self.copy("lines", "\(LineKeys.columns), owner, position, state")) { writer in
            for (line, parts) in zip(lines, divided) {
                try writer.writeRow(
                    Self.key(line.state.id) + [
                        line.owner.map { .uuid($0.uuid) } ?? .null, .int8(line.position), .bytea(parts.head.encoded),
                    ]
                )
            }
        }
        try writeHistory(of: divided.filter { !$0.earlier.isEmpty }, session)
        try session.copyIn(Self.copy("former_owners", "\(LineKeys.columns), account")) { writer in
            for line in lines {
                for owner in line.formerOwners { try writer.writeRow(Self.key(line.state.id) + [.uuid(owner.uuid)]) }
            }
        }
        // What is said at the end of time follows from the heads as it does from the whole lines.
        try writeEntitlements(of: divided.map(\.head), session)
    }

    private func writeHistory(of lines: [DividedLine], _ session: PostgresSession) throws {
        if lines.isEmpty { return }
        try session.copyIn(Self.copy("line_history", LineHistory.columns)) { writer in
            for line in lines {
                for transaction in line.earlier {
                    let item = transaction.state.newest.webOrderLineItemID
                    try writer.writeRow(
                        Self.key(line.head.id) + [
                            .text(transaction.state.transactionID), item.map { .text($0) } ?? .null,
                            .bytea(transaction.encoded),
                        ]
                    )
                }
            }
        }
    }

    /// Adds the rows of what lines grant.
    func writeEntitlements(of lines: [LineState], _ session: PostgresSession) throws {
        let columns = "\(LineKeys.columns), entitlement, product_id, starts_at, access_ends_at, expires_at, revoked_at"
        func time(_ instant: Instant?) -> PostgresValue { instant.map { .timestamptz($0.microseconds) } ?? .null }
        try session.copyIn(Self.copy("entitlements", columns)) { writer in
            for line in lines {
                let rows = EntitlementInterval.all(of: line, catalog: catalog, policy: policy)
                for row in rows.values.sorted(by: { $0.entitlement < $1.entitlement }) {
                    try writer.writeRow(
                        Self.key(line.id) + [
                            .text(row.entitlement), .text(row.productID), time(row.startsAt), time(row.accessEndsAt),
                            time(row.expiresAt), time(row.revokedAt),
                        ]
                    )
                }
            }
        }
    }

    /// Adds the rows of accounts that the table does not have.
    func write(_ accounts: [LogFold.AccountKey: FoldedAccount], _ session: PostgresSession) throws {
        let accounts = accounts.filter { $0.value.state != nil }
        if accounts.isEmpty { return }
        try session.copyIn(Self.copy("accounts", "environment, account, position, state")) { writer in
            for (key, account) in accounts {
                try writer.writeRow([
                    .text(key.environment.rawValue), .uuid(key.account.uuid), .int8(account.position),
                    account.state.map { .bytea($0.encoded) } ?? .null,
                ])
            }
        }
    }

    private static func key(_ id: LineID) -> [PostgresValue] {
        [
            .text(id.environment.rawValue), .text(id.originalTransactionID), .text(id.bundleID),
            .text(id.store.rawValue), .text(id.ownership.rawValue),
        ]
    }
}
