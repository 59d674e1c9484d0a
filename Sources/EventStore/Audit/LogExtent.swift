import EntitlementDomain
import Postgres

/// What the log says of its own length, and what is there.
struct LogExtent: Sendable {
    var head: LogHead
    var recordedAt: Int64
    var catalogPosition: Int64
    /// The lowest and the highest position in table `events`; nil: the table is empty.
    var first: Int64?
    var last: Int64?

    /// To be called before anything is folded from the beginning: it says what to do where the beginning was archived.
    ///
    /// - Throws: `StoreError.archived`.
    func requireBeginning() throws {
        guard head.position > 0, first != 1 else { return }
        throw StoreError.archived(
            "the log is not whole: positions 1 to \((first ?? head.position + 1) - 1) are not in the database, and nothing "
                + "can be folded without them (attach archived ranges again)"
        )
    }

    /// The same for a caller who needs no more of the extent.
    static func requireBeginning(_ session: PostgresSession) throws {
        try read(session).requireBeginning()
    }

    static func read(_ session: PostgresSession) throws -> LogExtent {
        let result = try session.query(
            """
            SELECT h.epoch, h.position, h.hash, h.recorded_at, h.catalog_position,
                (SELECT min(position) FROM entitled.events), (SELECT max(position) FROM entitled.events)
            FROM entitled.log_head h
            """
        )
        guard result.rowCount == 1 else {
            throw StoreError.failed("table log_head has no row; the database is damaged")
        }
        return LogExtent(
            head: LogHead(
                epoch: Int(try result.int32(0, 0)),
                position: try result.int64(0, 1),
                hash: try result.bytes(0, 2)
            ),
            recordedAt: try result.timestamp(0, 3),
            catalogPosition: try result.int64(0, 4),
            first: try result.optionalInt64(0, 5),
            last: try result.optionalInt64(0, 6)
        )
    }
}
