import EntitlementDomain

/// What the cache has done and how it stands.
struct CacheStatistics: Sendable {
    var hits: UInt64 = 0
    /// Questions that had to be read because their answer was not kept, or not right any more.
    var misses: UInt64 = 0
    /// Questions that were read because the feed was not to be trusted.
    var readsThrough: UInt64 = 0
    var evictions: UInt64 = 0
    var answers = 0
    var bytes = 0
    /// How old the last word of the feed is; nil: it is not followed.
    private(set) var lag: Duration? = .zero
    /// The position up to which the feed was applied everywhere; nil: it is not followed.
    private(set) var followed: LogPosition?
    private let maximumLag: Duration
    private let now = ContinuousClock.now

    init(maximumLag: Duration) {
        self.maximumLag = maximumLag
    }

    /// Whether answers are read from the database because the feed is late or broken.
    var isReadingThrough: Bool { lag.map { $0 > maximumLag } ?? true }

    /// Takes in how far one part has come.
    mutating func note(_ place: CachePlace?) {
        guard let place, let lag else {
            lag = nil
            return
        }
        self.lag = max(lag, now - place.heardAt)
        // While a place is being confirmed part by part, the parts differ by one step.
        followed =
            followed.map { min($0.number, place.position.number) == $0.number ? $0 : place.position } ?? place.position
    }

    /// As metrics: name, type, help, value.
    var samples: [MetricSample] {
        let seconds = lag.map { Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18 }
        return [
            MetricSample("entitled_cache_hits_total", .counter, "Answers given from memory.", Double(hits)),
            MetricSample(
                "entitled_cache_misses_total",
                .counter,
                "Answers that had to be read because they were not in memory.",
                Double(misses)
            ),
            MetricSample(
                "entitled_cache_read_through_total",
                .counter,
                "Answers that were read from the database because the change feed was late or broken.",
                Double(readsThrough)
            ),
            MetricSample(
                "entitled_cache_evictions_total",
                .counter,
                "Answers that made room for others.",
                Double(evictions)
            ),
            MetricSample("entitled_cache_answers", .gauge, "Answers in memory.", Double(answers)),
            MetricSample("entitled_cache_bytes", .gauge, "Memory of the answers, in bytes.", Double(bytes)),
            MetricSample(
                "entitled_feed_lag_seconds",
                .gauge,
                "Age of the last word of the change feed; NaN while it is not followed.",
                seconds ?? .nan
            ),
            MetricSample(
                "entitled_cache_reading_through",
                .gauge,
                "1 while answers are read from the database because the change feed is late or broken.",
                isReadingThrough ? 1 : 0
            ),
        ]
    }
}
