package import EntitlementDomain

extension PostgresEventStore {
    /// Asks for the right to reconcile.
    ///
    /// - Parameters:
    ///   - holder: names this instance.
    ///   - duration: how long the right lasts unless it is kept; by the database's clock.
    ///   - hour: the hour that calls are counted in from now on.
    /// - Returns: nil while another instance has it.
    package func takeReconcileLease(
        holder: String,
        for duration: Duration,
        hour: Instant
    ) async throws(StoreError) -> ReconcileLease? {
        let milliseconds = Self.milliseconds(duration)
        return try await reading {
            try ReconcileTables.take(holder: holder, milliseconds: milliseconds, hour: hour, $0)
        }
    }

    /// Keeps the right, and writes down the calls.
    ///
    /// - Returns: false when it is over, and perhaps another instance's.
    package func keepReconcileLease(_ lease: ReconcileLease, for duration: Duration) async throws(StoreError) -> Bool {
        let milliseconds = Self.milliseconds(duration)
        return try await reading { try ReconcileTables.keep(lease, milliseconds: milliseconds, $0) }
    }

    /// Gives the right back.
    package func giveBackReconcileLease(_ lease: ReconcileLease) async throws(StoreError) {
        try await reading { try ReconcileTables.giveBack(lease, $0) }
    }

    /// How far the notification history of an app was fetched; nil: never.
    package func reconcileCursor(
        of bundleID: String,
        in environment: StoreEnvironment
    ) async throws(StoreError) -> ReconcileCursor? {
        try await reading { try ReconcileTables.cursor(environment, bundleID, $0) }
    }

    /// Writes down how far the notification history of an app was fetched.
    package func setReconcileCursor(_ cursor: ReconcileCursor) async throws(StoreError) {
        try await reading { try ReconcileTables.set(cursor, $0) }
    }

    /// When the notification of an app was signed that arrived last by itself.
    package func lastNotificationSignedAt(
        of bundleID: String,
        in environment: StoreEnvironment
    ) async throws(StoreError) -> Instant? {
        try await reading { try ReconcileTables.lastNotification(environment, bundleID, $0) }
    }

    /// Lines in the order of their key, with when the App Store was last asked about them.
    ///
    /// - Parameter id: the line to start behind; nil: at the first.
    package func linesToReconcile(
        after id: LineID?,
        limit: Int
    ) async throws(StoreError) -> [(line: LineState, asked: AskedLine?)] {
        try await reading { try ReconcileTables.lines(after: id, limit: limit, $0) }
    }

    /// Writes down that the App Store was asked about a line.
    package func noteAsked(about id: LineID, at instant: Instant) async throws(StoreError) {
        try await reading { try ReconcileTables.noteAsked(id, at: instant, $0) }
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
    }
}
