import EntitlementDomain
import Postgres

/// A folded line on its way to its owner, in the form of a kept row: account, environment, bundle id, original
/// transaction id, ownership, state.
struct OwnedLine {
    var key: LogFold.AccountKey
    var line: LineState

    init(owner: AccountID, line: LineState) {
        key = LogFold.AccountKey(environment: line.id.environment, account: owner)
        self.line = line
    }

    init(_ row: PostgresCopyRow) throws {
        let environment = StoreEnvironment(rawValue: try row.text(1))
        key = LogFold.AccountKey(environment: environment, account: AccountID(try row.uuid(0)))
        guard let ownership = Ownership(rawValue: try row.text(4)) else {
            throw StoreError.failed("a kept line has an unknown ownership")
        }
        line = try LineState(
            id: LineID(
                environment: environment,
                bundleID: try row.text(2),
                originalTransactionID: try row.text(3),
                ownership: ownership
            ),
            encoded: try row.bytes(5)
        )
    }

    var encoded: EncodedRows {
        var row = KeptRow(fieldCount: 6)
        row.append(key.account)
        row.append(key.environment.rawValue)
        row.append(line.id.bundleID)
        row.append(line.id.originalTransactionID)
        row.append(line.id.ownership.rawValue)
        row.append(line.encoded)
        return row.rows
    }
}
