import EventStore

extension PostgresEventStore {
    /// What the metrics say about the database that this instance reads from.
    var standbySamples: [MetricSample] {
        var samples = [
            MetricSample(
                "entitled_database_standby",
                .gauge,
                "1 while the database is a standby, which takes no writes.",
                isStandby ? 1 : 0
            ),
            MetricSample(
                "entitled_read_only",
                .gauge,
                "1: this instance takes no writes (setting readOnly).",
                isReadOnlyByChoice ? 1 : 0
            ),
        ]
        if isStandby {
            let lag = replayLag ?? .zero
            samples.append(
                MetricSample(
                    "entitled_replay_lag_seconds",
                    .gauge,
                    "How old the newest change is that the standby shows while it has newer ones; 0: it shows all it has.",
                    lag / .seconds(1)
                )
            )
        }
        return samples
    }
}
