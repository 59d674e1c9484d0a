import EntitlementDomain
import Postgres

/// The fields of one stored event by their place in table `events`, whichever way the row came.
///
/// The two ways have the same accessors in `Postgres`; one reader (`EventRecord.init(_:)`) serves both.
protocol EventFields {
    func int64(_ column: Int) throws(PostgresError) -> Int64
    func optionalInt64(_ column: Int) throws(PostgresError) -> Int64?
    func optionalInt32(_ column: Int) throws(PostgresError) -> Int32?
    func optionalBool(_ column: Int) throws(PostgresError) -> Bool?
    func text(_ column: Int) throws(PostgresError) -> String
    func optionalText(_ column: Int) throws(PostgresError) -> String?
    func bytes(_ column: Int) throws(PostgresError) -> [UInt8]
    func bytesArray(_ column: Int) throws(PostgresError) -> [[UInt8]?]
    func uuid(_ column: Int) throws(PostgresError) -> UUIDBytes
    func optionalUuid(_ column: Int) throws(PostgresError) -> UUIDBytes?
    func timestamp(_ column: Int) throws(PostgresError) -> Int64
    func optionalTimestamp(_ column: Int) throws(PostgresError) -> Int64?
    func json(_ column: Int) throws(PostgresError) -> [UInt8]
}

/// A row of a binary `COPY`.
extension PostgresCopyRow: EventFields {}

/// A row of a query's result.
struct EventResultFields: EventFields {
    let result: PostgresResult
    let row: Int

    func int64(_ column: Int) throws(PostgresError) -> Int64 { try result.int64(row, column) }
    func optionalInt64(_ column: Int) throws(PostgresError) -> Int64? { try result.optionalInt64(row, column) }
    func optionalInt32(_ column: Int) throws(PostgresError) -> Int32? { try result.optionalInt32(row, column) }
    func optionalBool(_ column: Int) throws(PostgresError) -> Bool? { try result.optionalBool(row, column) }
    func text(_ column: Int) throws(PostgresError) -> String { try result.text(row, column) }
    func optionalText(_ column: Int) throws(PostgresError) -> String? { try result.optionalText(row, column) }
    func bytes(_ column: Int) throws(PostgresError) -> [UInt8] { try result.bytes(row, column) }
    func bytesArray(_ column: Int) throws(PostgresError) -> [[UInt8]?] { try result.bytesArray(row, column) }
    func uuid(_ column: Int) throws(PostgresError) -> UUIDBytes { try result.uuid(row, column) }
    func optionalUuid(_ column: Int) throws(PostgresError) -> UUIDBytes? { try result.optionalUuid(row, column) }
    func timestamp(_ column: Int) throws(PostgresError) -> Int64 { try result.timestamp(row, column) }
    func optionalTimestamp(_ column: Int) throws(PostgresError) -> Int64? { try result.optionalTimestamp(row, column) }
    func json(_ column: Int) throws(PostgresError) -> [UInt8] { try result.json(row, column) }
}
