import EntitlementDomain
import EventStore
import Synchronization

/// Knows when the App Store last delivered a notification of each app and environment, to whichever instance, also before
/// this one was started: it reads the log backwards until it has met one of each.
///
/// Only deliveries count. What reconciliation fetched proves nothing about the way that notifications take.
final class NotificationWatch: Sendable {
    typealias Origin = NotificationArrival.Origin

    fileprivate struct State {
        var seen: [Origin: Instant] = [:]
        /// The part of the log that was looked through: after the first, up to the last position.
        var looked: (first: Int64, last: Int64)?
        /// Whether there is nothing more to look for before that part.
        var isWhole = false
    }

    /// Events looked through by one statement, which may be of some kilobytes each.
    private static let piece: Int64 = 5_000
    /// How long to rest after a piece, as a multiple of the time that it took, and at most: what nobody waits for must not
    /// take the database from those who do.
    private static let rest = (times: 200, most: Duration.seconds(2))
    /// How far back to look. Who has been silent for longer has been silent for too long.
    private static let horizon: Int64 = 31 * 86_400_000

    private let origins: [Origin]
    private let store: PostgresEventStore
    private let clock: @Sendable () -> Instant
    private let state = Mutex(State())

    init(apps: [String], policy: Policy, store: PostgresEventStore, clock: @escaping @Sendable () -> Instant) {
        origins = apps.sorted().flatMap { app in
            policy.environments.sorted().map { Origin(bundleID: app, environment: $0) }
        }
        self.store = store
        self.clock = clock
    }

    /// Notes a delivery to this instance, also one of something that was known.
    func note(bundleID: String, environment: StoreEnvironment, at instant: Instant) {
        let origin = Origin(bundleID: bundleID, environment: environment)
        guard origins.contains(origin) else { return }
        state.withLock { $0.note(origin, instant) }
    }

    /// Looks through what was appended since the last time, by any instance.
    func lookForward(to head: LogPosition) async throws(StoreError) {
        let start = state.withLock { state -> Int64 in
            let last = state.looked?.last ?? max(0, head.number - Self.piece)
            // A fail-over may have rewound the log.
            return min(last, head.number)
        }
        let found = try await store.lastNotifications(of: origins, after: start, upTo: head.number)
        state.withLock { state in
            for arrival in found { state.note(arrival.origin, arrival.recordedAt) }
            state.looked = (min(state.looked?.first ?? start, start), head.number)
        }
    }

    /// Looks through the log backwards until one notification of each app and environment was met, or the horizon.
    func lookBack() async throws(StoreError) {
        while !Task.isCancelled {
            let (looked, missing) = state.withLock { state in
                (state.isWhole ? nil : state.looked, origins.filter { state.seen[$0] == nil })
            }
            guard let looked else { return }
            var isWhole = missing.isEmpty || looked.first == 0
            if !isWhole {
                let recordedAt = try await store.recordedAt(looked.first)
                isWhole = recordedAt.map { $0.milliseconds < clock().milliseconds - Self.horizon } ?? true
            }
            if isWhole {
                state.withLock { $0.isWhole = true }
                return
            }
            let start = max(0, looked.first - Self.piece)
            let began = ContinuousClock.now
            let found = try await store.lastNotifications(of: missing, after: start, upTo: looked.first)
            state.withLock { state in
                for arrival in found { state.note(arrival.origin, arrival.recordedAt) }
                state.looked?.first = start
            }
            if start > 0, found.count < missing.count {
                try? await Task.sleep(for: min((ContinuousClock.now - began) * Self.rest.times, Self.rest.most))
            }
        }
    }

    var family: MetricFamily {
        var family = MetricFamily(
            "entitled_last_notification_timestamp_seconds",
            .gauge,
            "When the App Store last delivered a notification, in seconds since 1970; 0: not within the last 31 days."
        )
        let state = state.withLock { $0 }
        for origin in origins {
            let labels = [("bundle", origin.bundleID), ("environment", origin.environment.rawValue)]
            if let seen = state.seen[origin] {
                family.add(labels, Double(seen.milliseconds) / 1_000)
            } else if state.isWhole {
                family.add(labels, 0)
            }
        }
        return family
    }
}

extension NotificationWatch.State {
    fileprivate mutating func note(_ origin: NotificationWatch.Origin, _ instant: Instant) {
        seen[origin] = max(seen[origin] ?? instant, instant)
    }
}
