import EntitlementDomain
import Postgres

/// A row of table `lines`.
enum LineRow {
    /// The columns that `read` takes, of `lines` under the name `l`.
    static let columns = "l.environment, l.line_id, l.bundle_id, l.store, l.ownership, l.state"

    /// The columns that `read` takes for whole lines, of `lines` under the name `l`.
    static let wholeColumns = """
        \(columns), ARRAY(SELECT h.state FROM entitled.line_history h
            WHERE (h.line_id, h.environment, h.bundle_id, h.store, h.ownership)
                = (l.line_id, l.environment, l.bundle_id, l.store, l.ownership))
        """

    /// How many columns there are for a reach.
    static func columnCount(_ reach: LineReach) -> Int {
        reach == .head ? 6 : 7
    }

    /// The id of the line in a row that begins with `line_id, environment, bundle_id, store, ownership`.
    static func id(_ result: PostgresResult, _ row: Int) throws -> LineID {
        guard let store = Store(rawValue: try result.text(row, 3)),
            let ownership = Ownership(rawValue: try result.text(row, 4))
        else { throw StoreError.failed("a line has an unknown store or ownership; upgrade entitled") }
        return LineID(
            store: store,
            environment: StoreEnvironment(rawValue: try result.text(row, 1)),
            bundleID: try result.text(row, 2),
            originalTransactionID: try result.text(row, 0),
            ownership: ownership
        )
    }

    /// The line in one row.
    ///
    /// - Parameters:
    ///   - column: the place of the first of `columns`, or of `wholeColumns`.
    ///   - reach: which of the two they are.
    /// - Throws: `StoreError.failed` for a state that this version cannot read.
    static func read(
        _ result: PostgresResult,
        _ row: Int,
        from column: Int = 0,
        reach: LineReach = .head
    ) throws -> LineState {
        guard let store = Store(rawValue: try result.text(row, column + 3)),
            let ownership = Ownership(rawValue: try result.text(row, column + 4))
        else { throw StoreError.failed("a row of table lines has an unknown store or ownership") }
        let id = LineID(
            store: store,
            environment: StoreEnvironment(rawValue: try result.text(row, column)),
            bundleID: try result.text(row, column + 2),
            originalTransactionID: try result.text(row, column + 1),
            ownership: ownership
        )
        let earlier = reach == .whole ? try result.bytesArray(row, column + 6).compactMap(\.self) : []
        do {
            let head = try LineState(id: id, encoded: try result.bytes(row, column + 5))
            if earlier.isEmpty { return head }
            return try LineHistory.whole(head, earlier)
        } catch let error as DecodingFailure {
            throw StoreError.failed(
                "the state of line \(id.originalTransactionID) cannot be read (\(error)); run 'entitled rebuild'"
            )
        }
    }
}
