import EntitlementDomain
import Postgres

/// Table `line_history`: the earlier transactions of long lines, which the head in `lines.state` leaves out.
enum LineHistory {
    /// The key and the other columns, for a `COPY`.
    static let columns = "\(LineKeys.columns), transaction_id, web_order_line_item_id, state"

    /// $1...$5 line keys (`LineKeys`) -> the lines' rows.
    private static let find = PreparedStatement(
        """
        SELECT h.line_id, h.environment, h.bundle_id, h.store, h.ownership, h.transaction_id, h.state
        FROM unnest(\(LineKeys.types)) AS k (\(LineKeys.columns))
        JOIN entitled.line_history h USING (\(LineKeys.columns))
        """
    )

    /// $1...$5 line keys, $6 transaction ids, $7 line items -> the lines with a row of the same id or line item.
    private static let findTouched = PreparedStatement(
        """
        SELECT h.line_id, h.environment, h.bundle_id, h.store, h.ownership
        FROM unnest(\(LineKeys.types), $6::text[]) AS k (\(LineKeys.columns), transaction_id)
        JOIN entitled.line_history h USING (\(LineKeys.columns), transaction_id)
        UNION ALL
        SELECT h.line_id, h.environment, h.bundle_id, h.store, h.ownership
        FROM unnest(\(LineKeys.types), $7::text[]) AS k (\(LineKeys.columns), web_order_line_item_id)
        JOIN entitled.line_history h USING (\(LineKeys.columns), web_order_line_item_id)
        """
    )

    /// Finds the lines of statements whose transactions are, or may be twins of, earlier ones: one probe of an index for
    /// each id, whatever the length of the line.
    static func touched(by statements: [StatementRecord], _ session: PostgresSession) throws -> Set<LineID> {
        let named = statements.compactMap { statement in
            statement.line.flatMap { line in statement.facts.transaction.map { (line: line, transaction: $0) } }
        }
        if named.isEmpty { return [] }
        let result = try session.query(
            findTouched,
            LineKeys(named.map(\.line)).values + [
                .textArray(named.map(\.transaction.transactionID)),
                .textArray(named.map(\.transaction.webOrderLineItemID)),
            ]
        )
        return Set(try result.rows.map { try LineRow.id(result, $0) })
    }

    /// The rows of lines, by transaction id.
    static func read(_ lines: some Sequence<LineID>, _ session: PostgresSession) throws -> [LineID: [String: [UInt8]]] {
        var found: [LineID: [String: [UInt8]]] = [:]
        let result = try session.query(find, LineKeys(lines.sorted()).values)
        for row in result.rows {
            found[try LineRow.id(result, row), default: [:]][try result.text(row, 5)] = try result.bytes(row, 6)
        }
        return found
    }

    /// Puts lines together that requests concern, for which their heads are not enough.
    static func complete(
        _ lines: Set<LineID>,
        in context: inout AppendPlan.Context,
        _ session: PostgresSession
    ) throws {
        if lines.isEmpty { return }
        let found = try read(lines, session)
        for id in lines {
            guard let head = context.lines[id] else { continue }
            let rows = found[id] ?? [:]
            context.earlier[id] = rows
            context.lines[id] = try whole(head, rows.values)
        }
    }

    /// Puts a line together.
    ///
    /// - Parameter rows: the states of all its rows.
    /// - Throws: `StoreError.failed` for a state that this version cannot read.
    static func whole(_ head: LineState, _ rows: some Sequence<[UInt8]>) throws -> LineState {
        do {
            return LineState(head: head, earlier: try rows.map { try EarlierTransaction(encoded: $0) })
        } catch {
            throw StoreError.failed(
                "the history of line \(head.id.originalTransactionID) cannot be read (\(error)); run 'entitled rebuild'"
            )
        }
    }
}
