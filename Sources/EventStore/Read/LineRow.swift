import EntitlementDomain
import Postgres

/// A row of table `lines`.
enum LineRow {
    /// The columns that `read` takes, of `lines` under the name `l`.
    static let columns = "l.environment, l.line_id, l.bundle_id, l.store, l.ownership, l.state"

    /// How many they are.
    static let columnCount = 6

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
    /// - Parameter column: the place of the first of `columns`.
    /// - Throws: `StoreError.failed` for a state that this version cannot read.
    static func read(_ result: PostgresResult, _ row: Int, from column: Int = 0) throws -> LineState {
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
        do {
            return try LineState(id: id, encoded: try result.bytes(row, column + 5))
        } catch {
            throw StoreError.failed(
                "the state of line \(id.originalTransactionID) cannot be read (\(error)); run 'entitled rebuild'"
            )
        }
    }
}
