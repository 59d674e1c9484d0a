import EntitlementDomain
import EventStore

/// Metrics of the log, of the sessions to the database and of the writer.
struct StoreMetrics: Sendable {
    let store: PostgresEventStore
    let cache: AnswerCache
    let gauges: Refreshed<Result<LogGauges, StoreError>>
    let notifications: NotificationWatch

    init(store: PostgresEventStore, cache: AnswerCache, notifications: NotificationWatch) {
        self.store = store
        self.cache = cache
        self.notifications = notifications
        gauges = Refreshed(for: .seconds(1)) {
            do throws(StoreError) {
                let gauges = try await store.gauges()
                try await notifications.lookForward(to: gauges.position)
                return .success(gauges)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Reads what lies in the database, unless that takes too long: then the metrics say so and lack it.
    func refresh(within limit: Duration) async {
        _ = await gauges.value(within: limit)
    }

    var families: [MetricFamily] {
        sessions + writer + log + [notifications.family]
    }

    private var sessions: [MetricFamily] {
        let statistics = store.statistics
        let pool = statistics.sessions
        var sessions = MetricFamily("entitled_pool_sessions", .gauge, "Sessions for reading, by what they do.")
        sessions.add([("state", "idle")], Double(pool.idle))
        sessions.add([("state", "used")], Double(pool.used))
        return [
            sessions,
            MetricFamily(
                "entitled_pool_waiting",
                .gauge,
                "Calls that wait for a session for reading.",
                Double(pool.waiting)
            ),
            MetricFamily(
                "entitled_pool_acquired_total",
                .counter,
                "Calls that got a session for reading.",
                Double(pool.acquired)
            ),
            MetricFamily(
                "entitled_pool_waits_total",
                .counter,
                "Calls that had to wait for a session for reading.",
                Double(pool.waited)
            ),
            MetricFamily(
                "entitled_pool_wait_seconds_total",
                .counter,
                "Time that calls have waited for a session for reading.",
                pool.waitingTime.inSeconds
            ),
            MetricFamily(
                "entitled_pool_timeouts_total",
                .counter,
                "Calls that got no session for reading in time.",
                Double(pool.timedOut)
            ),
            MetricFamily(
                "entitled_pool_connects_total",
                .counter,
                "Connections that the sessions for reading have made.",
                Double(pool.connects)
            ),
            MetricFamily(
                "entitled_lookups_in_flight",
                .gauge,
                "Look-ups of accounts that the database has not answered yet.",
                Double(statistics.lookups)
            ),
        ]
    }

    private var writer: [MetricFamily] {
        let statistics = store.statistics
        let appender = statistics.appender
        return [
            MetricFamily(
                "entitled_append_queue_requests",
                .gauge,
                "Requests that wait for the writer, or are being written.",
                Double(appender.waiting)
            ),
            MetricFamily(
                "entitled_append_oldest_seconds",
                .gauge,
                "How long the oldest of these requests has waited.",
                appender.longestWait.inSeconds
            ),
            MetricFamily(
                "entitled_append_requests_total",
                .counter,
                "Requests that the writer has settled, duplicates and refused ones included.",
                Double(appender.requests)
            ),
            MetricFamily(
                "entitled_append_groups_total",
                .counter,
                "Transactions in which the writer did so.",
                Double(appender.groups)
            ),
            MetricFamily(
                "entitled_append_busy_seconds_total",
                .counter,
                "Time that the writer spent on them.",
                appender.busy.inSeconds
            ),
            MetricFamily(
                "entitled_append_connects_total",
                .counter,
                "Connections that the writer has made.",
                Double(statistics.writerConnects)
            ),
        ]
    }

    private var log: [MetricFamily] {
        // What could not be read is left out rather than shown as it was: an alert on its absence is a true one.
        guard let last = gauges.last, last.age < .seconds(60), case .success(let gauges) = last.value else {
            return [Self.up(false)]
        }
        var families = [
            Self.up(true),
            MetricFamily("entitled_log_position", .gauge, "Where the log ends.", Double(gauges.position.number)),
            MetricFamily("entitled_log_epoch", .gauge, "The log's epoch.", Double(gauges.position.epoch)),
            MetricFamily(
                "entitled_quarantine_notifications",
                .gauge,
                "Notifications that are kept aside because they cannot be verified now.",
                Double(gauges.quarantined)
            ),
        ]
        if let recordedAt = gauges.recordedAt {
            families.append(
                MetricFamily(
                    "entitled_log_recorded_timestamp_seconds",
                    .gauge,
                    "When the last event was recorded, in seconds since 1970.",
                    recordedAt.inSeconds
                )
            )
        }
        if let since = gauges.quarantinedSince {
            families.append(
                MetricFamily(
                    "entitled_quarantine_oldest_timestamp_seconds",
                    .gauge,
                    "When the oldest notification in the quarantine came, in seconds since 1970.",
                    since.inSeconds
                )
            )
        }
        if let followed = cache.statistics.followed {
            let isSame = followed.epoch == gauges.position.epoch
            families.append(
                MetricFamily(
                    "entitled_feed_lag_positions",
                    .gauge,
                    "Positions of the log that this instance's cache has not heard of yet.",
                    Double(isSame ? max(0, gauges.position.number - followed.number) : gauges.position.number)
                )
            )
        }
        return families
    }

    private static func up(_ isUp: Bool) -> MetricFamily {
        MetricFamily("entitled_database_up", .gauge, "1 when the database answered just now.", isUp ? 1 : 0)
    }
}

extension Duration {
    /// As lines of the log give times.
    var inMicroseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }

    /// As metrics give times.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Instant {
    /// Since 1970, as metrics give instants.
    var inSeconds: Double { Double(milliseconds) / 1_000 }
}
