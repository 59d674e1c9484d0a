import EntitlementDomain
import Postgres
import X509

@testable import EventStore

/// The rows of the projections in a form that can be compared: as they stand in the database, or as they follow from the
/// log.
struct ProjectedRows {
    /// Table -> its rows as texts.
    private(set) var tables: [String: Set<String>] = [:]

    init(_ events: [EventRecord], catalog: Catalog, policy: Policy) {
        let fold = ReferenceFold(events)
        var (lines, entitlements, accounts): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        var (statements, formerOwners, history): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for (id, line) in fold.lines {
            let key = Self.key(id)
            let divided = line.divided()
            let state = Hexadecimal.text(divided.head.encoded)
            for transaction in divided.earlier {
                let item = transaction.state.newest.webOrderLineItemID ?? "-"
                let state = Hexadecimal.text(transaction.encoded)
                history.insert("\(key) \(transaction.state.transactionID) \(item) \(state)")
            }
            lines.insert("\(key) \(line.owner.map(\.description) ?? "-") \(fold.linePositions[id]!) \(state)")
            for row in EntitlementInterval.all(of: line, catalog: catalog, policy: policy).values {
                let times = [row.startsAt, row.accessEndsAt, row.expiresAt, row.revokedAt]
                    .map { $0?.iso8601 ?? "-" }.joined(separator: " ")
                entitlements.insert("\(key) \(row.entitlement) \(row.productID) \(times)")
            }
        }
        for (key, state) in fold.accounts {
            let position = fold.statePositions[key]!
            accounts.insert("\(key.environment.rawValue) \(key.account) \(position) \(Hexadecimal.text(state.encoded))")
        }
        for change in fold.ownerChanges {
            if let owner = change.before { formerOwners.insert("\(owner) \(Self.key(change.line))") }
        }
        var known: Set<[UInt8]> = [[]]
        for event in events where known.insert(event.statementID).inserted {
            statements.insert("\(Hexadecimal.text(event.statementID)) \(event.position)")
        }
        tables = [
            "lines": lines, "entitlements": entitlements, "accounts": accounts, "statements": statements,
            "former_owners": formerOwners, "line_history": history,
        ]
    }

    private static func key(_ id: LineID) -> String {
        [id.environment.rawValue, id.originalTransactionID, id.bundleID, id.store.rawValue, id.ownership.rawValue]
            .joined(separator: " ")
    }

    init(_ session: PostgresSession) throws {
        let key = "concat_ws(' ', environment, line_id, bundle_id, store, ownership)"
        func time(_ column: String) -> String {
            "coalesce(to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), '-')"
        }
        tables["lines"] = try Self.texts(
            session,
            "SELECT concat_ws(' ', \(key), coalesce(owner::text, '-'), position, encode(state, 'hex')) FROM entitled.lines"
        )
        tables["line_history"] = try Self.texts(
            session,
            """
            SELECT concat_ws(' ', \(key), transaction_id, coalesce(web_order_line_item_id, '-'), encode(state, 'hex'))
            FROM entitled.line_history
            """
        )
        tables["accounts"] = try Self.texts(
            session,
            """
            SELECT concat_ws(' ', environment, account, position, encode(state, 'hex'))
            FROM entitled.accounts
            """
        )
        tables["entitlements"] = try Self.texts(
            session,
            """
            SELECT concat_ws(' ', \(key), entitlement, product_id, \(time("starts_at")), \(time("access_ends_at")),
                \(time("expires_at")), \(time("revoked_at"))) FROM entitled.entitlements
            """
        )
        tables["statements"] = try Self.texts(
            session,
            "SELECT encode(statement_id, 'hex') || ' ' || position FROM entitled.statements"
        )
        tables["former_owners"] = try Self.texts(session, "SELECT account || ' ' || \(key) FROM entitled.former_owners")
    }

    private static func texts(_ session: PostgresSession, _ sql: String) throws -> Set<String> {
        let result = try session.query(sql)
        return Set(try result.rows.map { try result.text($0, 0) })
    }
}
