import EntitlementDomain
import Postgres

/// The rows of table `line_history` that must be written and those that must go, for any number of lines.
struct LineHistoryChanges {
    private var gone: [(line: LineID, transactionID: String)] = []
    private var written: [(line: LineID, transaction: EarlierTransaction, state: [UInt8])] = []

    /// $1...$5 line keys (`LineKeys`), $6 transaction ids.
    private static let delete = PreparedStatement(
        """
        DELETE FROM entitled.line_history h
        USING unnest(\(LineKeys.types), $6::text[]) AS k (\(LineKeys.columns), transaction_id)
        WHERE (h.line_id, h.environment, h.bundle_id, h.store, h.ownership, h.transaction_id)
            = (k.line_id, k.environment, k.bundle_id, k.store, k.ownership, k.transaction_id)
        """
    )

    /// $1...$5 line keys, $6 transaction ids, $7 line items, $8 states.
    private static let upsert = PreparedStatement(
        """
        INSERT INTO entitled.line_history (\(LineHistory.columns))
        SELECT * FROM unnest(\(LineKeys.types), $6::text[], $7::text[], $8::bytea[])
        ON CONFLICT (line_id, environment, bundle_id, store, ownership, transaction_id)
        DO UPDATE SET web_order_line_item_id = excluded.web_order_line_item_id, state = excluded.state
        """
    )

    /// Notes the transactions that went behind the cut of a head.
    mutating func add(_ line: LineID, _ earlier: [EarlierTransaction]) {
        written += Self.sorted(earlier).map { (line, $0, $0.encoded) }
    }

    /// Notes what a whole line has become.
    ///
    /// - Parameter rows: as they stand in the table, by transaction id.
    mutating func add(_ line: LineID, _ earlier: [EarlierTransaction], insteadOf rows: [String: [UInt8]]) {
        let left = Set(rows.keys).subtracting(earlier.map(\.state.transactionID))
        gone += left.sorted().map { (line, $0) }
        for transaction in Self.sorted(earlier) {
            let state = transaction.encoded
            if rows[transaction.state.transactionID] != state { written.append((line, transaction, state)) }
        }
    }

    private static func sorted(_ earlier: [EarlierTransaction]) -> [EarlierTransaction] {
        earlier.sorted { $0.state.transactionID < $1.state.transactionID }
    }

    /// The statements that bring the table there.
    var steps: [PostgresPipelineStep] {
        var steps: [PostgresPipelineStep] = []
        if !gone.isEmpty {
            steps.append(
                PostgresPipelineStep(
                    Self.delete,
                    LineKeys(gone.map(\.line)).values + [.textArray(gone.map(\.transactionID))]
                )
            )
        }
        if !written.isEmpty {
            steps.append(
                PostgresPipelineStep(
                    Self.upsert,
                    LineKeys(written.map(\.line)).values + [
                        .textArray(written.map(\.transaction.state.transactionID)),
                        .textArray(written.map(\.transaction.state.newest.webOrderLineItemID)),
                        .byteaArray(written.map(\.state)),
                    ]
                )
            )
        }
        return steps
    }
}
