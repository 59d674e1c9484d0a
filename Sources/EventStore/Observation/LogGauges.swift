package import EntitlementDomain
import Postgres

/// What operators watch of the log and of what waits beside it, at one moment.
package struct LogGauges: Sendable, Hashable {
    /// Where the log ends.
    package var position: LogPosition
    /// When the last event was recorded; nil: there is none.
    package var recordedAt: Instant?
    /// Notifications that are kept aside.
    package var quarantined: Int
    /// When the oldest of them came; nil: there is none.
    package var quarantinedSince: Instant?

    private static let statement = PreparedStatement(
        """
        SELECT h.epoch, h.position, h.recorded_at, q.number, q.since
        FROM entitled.log_head h, (SELECT count(*) AS number, min(first_seen_at) AS since FROM entitled.quarantine) q
        """
    )

    static func read(_ session: PostgresSession) throws -> LogGauges {
        let result = try session.query(statement, [])
        guard !result.isEmpty else { throw StoreError.failed("table log_head has no row; the database is damaged") }
        let recorded = try result.timestamp(0, 2)
        return LogGauges(
            position: LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1)),
            recordedAt: recorded == .min ? nil : Instant(microseconds: recorded),
            quarantined: Int(try result.int64(0, 3)),
            quarantinedSince: try result.optionalTimestamp(0, 4).map { Instant(microseconds: $0) }
        )
    }
}

extension PostgresEventStore {
    /// What operators watch of the log now.
    package func gauges() async throws(StoreError) -> LogGauges {
        try await reading { try LogGauges.read($0) }
    }
}
