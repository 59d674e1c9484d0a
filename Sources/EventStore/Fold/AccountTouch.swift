import EntitlementDomain
import Postgres

/// A note that a line has to do with an account, in the form of a kept row: account, environment.
struct AccountTouch {
    var key: LogFold.AccountKey

    init(key: LogFold.AccountKey) {
        self.key = key
    }

    init(_ row: PostgresCopyRow) throws {
        key = LogFold.AccountKey(
            environment: StoreEnvironment(rawValue: try row.text(1)),
            account: AccountID(try row.uuid(0))
        )
    }

    var encoded: EncodedRows {
        var row = KeptRow(fieldCount: 2)
        row.append(key.account)
        row.append(key.environment.rawValue)
        return row.rows
    }
}
