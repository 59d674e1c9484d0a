import EntitlementDomain
import Postgres

/// The keys of lines as parallel arrays, parameters $1 to $5 of batch statements.
struct LineKeys {
    static let columns = "environment, line_id, bundle_id, store, ownership"
    static let types = "$1::text[], $2::text[], $3::text[], $4::text[], $5::text[]"

    let values: [PostgresValue]

    init(_ ids: [LineID]) {
        values = [
            .textArray(ids.map(\.environment.rawValue)),
            .textArray(ids.map(\.originalTransactionID)),
            .textArray(ids.map(\.bundleID)),
            .textArray(ids.map(\.store.rawValue)),
            .textArray(ids.map(\.ownership.rawValue)),
        ]
    }
}
