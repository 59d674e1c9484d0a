import EntitlementDomain
import Postgres

/// Finds the last position that a cut through the log takes in.
enum LogCut {
    private static let head = PreparedStatement(
        """
        SELECT epoch, position, coalesce((SELECT min(position) FROM entitled.events), position + 1) FROM entitled.log_head
        """
    )
    private static let recordedAt = PreparedStatement(
        "SELECT recorded_at FROM entitled.events WHERE position = $1::bigint"
    )

    /// - Throws: `StoreError.positionNotReached` for a position of another epoch or beyond the log's end.
    static func position(of knownAt: KnownAt, _ session: PostgresSession) throws -> LogPosition {
        let result = try session.query(head, [])
        let head = LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1))
        switch knownAt {
        case .position(let position):
            if position.epoch != head.epoch {
                throw StoreError.positionNotReached(isEpochChanged: true, current: head)
            }
            if position.number > head.number {
                throw StoreError.positionNotReached(isEpochChanged: false, current: head)
            }
            return position
        case .time(let instant):
            // recorded_at never falls along the log, so halving finds the place.
            // What was archived lies before all that is there.
            var low = try result.int64(0, 2) - 1
            var high = head.number
            while low < high {
                let middle = low + (high - low + 1) / 2
                let recorded = Instant(microseconds: try session.query(recordedAt, [.int8(middle)]).timestamp(0, 0))
                if recorded <= instant { low = middle } else { high = middle - 1 }
            }
            return LogPosition(epoch: head.epoch, number: low)
        }
    }
}
