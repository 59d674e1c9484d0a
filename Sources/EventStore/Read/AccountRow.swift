import EntitlementDomain
import Postgres

/// What an account has, as statements find it: the state column of table `accounts`, and lines.
enum AccountRow {
    /// - Throws: `StoreError.failed` for a state that this version cannot read.
    static func state(_ bytes: [UInt8]?) throws -> AccountState {
        guard let bytes else { return AccountState() }
        do {
            return try AccountState(encoded: bytes)
        } catch {
            throw StoreError.failed("the state of an account cannot be read (\(error)); run 'entitled rebuild'")
        }
    }

    /// An account out of rows that have its state in one column, and behind it the columns of one of its lines each, or
    /// nulls where it has none.
    ///
    /// - Parameters:
    ///   - rows: one at least.
    ///   - column: the place of the state.
    ///   - reach: of the lines' columns.
    static func account(
        _ result: PostgresResult,
        _ rows: [Int],
        stateAt column: Int,
        reach: LineReach = .head
    ) throws -> Account {
        var lines: [LineState] = []
        for row in rows where try !result.isNull(row, column + 1) {
            lines.append(try LineRow.read(result, row, from: column + 1, reach: reach))
        }
        return Account(lines: lines, state: try state(try result.optionalBytes(rows.first ?? 0, column)))
    }
}
