package import EntitlementDomain
import Postgres

/// When the App Store was last heard of: an app in an environment, and the time of recording.
package struct NotificationArrival: Sendable, Hashable {
    /// Where notifications come from.
    package struct Origin: Sendable, Hashable {
        package var bundleID: String
        package var environment: StoreEnvironment

        package init(bundleID: String, environment: StoreEnvironment) {
            self.bundleID = bundleID
            self.environment = environment
        }
    }

    package var origin: Origin
    package var recordedAt: Instant

    /// $1 bundle ids and $2 environments in pairs, $3 and $4 the positions looked through, the first exclusive. There is no
    /// index for this question, which would cost every append: from the end of the log backwards the row is met soon, or
    /// the caller looks through one piece after another.
    private static let statement = PreparedStatement(
        """
        SELECT o.bundle_id, o.environment, e.recorded_at
        FROM unnest($1::text[], $2::text[]) AS o (bundle_id, environment)
        CROSS JOIN LATERAL (
            SELECT recorded_at FROM entitled.events
            WHERE position > $3::bigint AND position <= $4::bigint AND source = 'notification'
                AND bundle_id = o.bundle_id AND environment = o.environment
            ORDER BY position DESC LIMIT 1
        ) e
        """
    )

    static func read(
        _ origins: [Origin],
        after first: Int64,
        upTo last: Int64,
        _ session: PostgresSession
    ) throws -> [NotificationArrival] {
        if origins.isEmpty || first >= last { return [] }
        let result = try session.query(
            statement,
            [
                .textArray(origins.map(\.bundleID)), .textArray(origins.map(\.environment.rawValue)), .int8(first),
                .int8(last),
            ]
        )
        return try result.rows.map { row in
            NotificationArrival(
                origin: Origin(
                    bundleID: try result.text(row, 0),
                    environment: StoreEnvironment(rawValue: try result.text(row, 1))
                ),
                recordedAt: Instant(microseconds: try result.timestamp(row, 2))
            )
        }
    }
}

extension PostgresEventStore {
    private static let recordedAt = PreparedStatement(
        "SELECT recorded_at FROM entitled.events WHERE position = $1::bigint"
    )

    /// The newest notifications in a piece of the log that the App Store delivered itself; origins without one are left out.
    package func lastNotifications(
        of origins: [NotificationArrival.Origin],
        after first: Int64,
        upTo last: Int64
    ) async throws(StoreError) -> [NotificationArrival] {
        try await reading { try NotificationArrival.read(origins, after: first, upTo: last, $0) }
    }

    /// When the event at a position was recorded; nil: there is none.
    package func recordedAt(_ position: Int64) async throws(StoreError) -> Instant? {
        try await reading { session in
            let result = try session.query(Self.recordedAt, [.int8(position)])
            return result.isEmpty ? nil : Instant(microseconds: try result.timestamp(0, 0))
        }
    }
}
