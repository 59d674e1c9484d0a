import EntitlementDomain
import Postgres

/// A note that an event of a line changed what an account has, in the form of a kept row: account, environment, position.
struct AccountTouch {
    var key: LogFold.AccountKey
    var position: Int64

    init(key: LogFold.AccountKey, position: Int64) {
        self.key = key
        self.position = position
    }

    init(_ row: PostgresCopyRow) throws {
        key = LogFold.AccountKey(
            environment: StoreEnvironment(rawValue: try row.text(1)),
            account: AccountID(try row.uuid(0))
        )
        position = try row.int64(2)
    }

    var encoded: EncodedRows {
        var row = KeptRow(fieldCount: 3)
        row.append(key.account)
        row.append(key.environment.rawValue)
        row.append(position)
        return row.rows
    }
}
