import AppStore
import EntitlementDomain
import EventStore

/// Fetches the notification history of one app in one environment, in windows, and appends what the log does not have.
struct HistoryFetch: Sendable {
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour
    /// A stop loses no more than a window. It begins with this length, becomes longer where there is little, and shorter
    /// where there is more than `pagesOfWindow`.
    private static let firstWindow = day
    private static let longestWindow = 30 * day
    private static let shortestWindow = hour
    private static let pagesOfWindow = 200
    /// The App Store's clock may be ahead of this one.
    private static let clockTolerance = hour / 60
    /// A notification may turn up in the history some time after its signature.
    private static let overlap = hour
    /// The last of Apple's repetitions comes 157 hours after the first try (App Store Server Notifications, Responding to
    /// App Store Server Notifications).
    private static let retryPeriod = 7 * day

    let client: ServerAPIClient
    let environment: StoreEnvironment
    let run: ReconcileRun
    let intake: StatementIntake
    let metrics: ServiceMetrics
    let now: Instant

    /// Milliseconds for which the App Store keeps notifications (App Store Server API, Get Notification History), less the
    /// difference that two clocks may have.
    private var kept: Int64 { (environment == .sandbox ? 30 : 180) * Self.day - Self.hour }

    /// Fetches what is due.
    ///
    /// - Returns: nil when nothing is due.
    func run(
        _ mode: ReconcileMode,
        settings: ReconcileSettings
    ) async throws(ReconcileStop) -> (histories: [ReconcileReport.History], stop: ReconcileStop?) {
        let bundleID = client.bundleID
        let epoch = try await run.storing { store async throws(StoreError) in try await store.position() }.epoch
        let known = try await run.storing { store async throws(StoreError) in
            try await store.reconcileCursor(of: bundleID, in: environment)
        }
        let earliest = now.advanced(byMilliseconds: -kept)
        var cursor: ReconcileCursor
        if let known {
            cursor = known
            // A log that was rewound may have lost what was fetched before.
            if known.epoch != epoch {
                cursor.fetchedUntil = min(known.fetchedUntil, now).advanced(byMilliseconds: -Self.retryPeriod)
                cursor.epoch = epoch
                cursor.everythingAt = nil
            }
        } else {
            let last = try await run.storing { store async throws(StoreError) in
                try await store.lastNotificationSignedAt(of: bundleID, in: environment)
            }
            // What was sent before the last one that arrived may still be under way.
            let from = last.map { min($0, now).advanced(byMilliseconds: -Self.retryPeriod) } ?? earliest
            cursor = ReconcileCursor(
                environment: environment,
                bundleID: bundleID,
                fetchedUntil: max(from, earliest),
                epoch: epoch,
                // Nothing is kept from before what is fetched whole, so there are no failures to look for.
                failuresAt: from <= earliest ? now : nil
            )
        }
        var histories: [ReconcileReport.History] = []
        do throws(ReconcileStop) {
            let isEverythingDue = isEverythingDue(cursor, mode, settings)
            if isEverythingDue { try await fetchEverything(&cursor, earliest: earliest, into: &histories) }
            // Never yet: all that is kept, as far as the App Store knows that it did not arrive.
            if (mode == .now && !isEverythingDue) || Self.isDue(cursor.failuresAt, settings.interval, now) {
                try await fetchFailures(&cursor, earliest: earliest, into: &histories)
            }
        } catch {
            if !histories.isEmpty { histories[histories.count - 1].problem = error.description }
            return (histories, error)
        }
        return (histories, nil)
    }

    private func isEverythingDue(_ cursor: ReconcileCursor, _ mode: ReconcileMode, _ settings: ReconcileSettings)
        -> Bool
    {
        if mode == .everything || Self.isDue(cursor.everythingAt, settings.everythingInterval, now) { return true }
        // Nobody has looked for longer than the interval: the service was away, and notifications with it.
        let looked = max(cursor.failuresAt ?? .distantPast, cursor.everythingAt ?? .distantPast)
        return now.milliseconds - looked.milliseconds > 2 * settings.interval.milliseconds + Self.hour
    }

    private static func isDue(_ last: Instant?, _ interval: Duration, _ now: Instant) -> Bool {
        guard let last else { return true }
        return now.milliseconds - last.milliseconds >= interval.milliseconds
    }

    private func fetchEverything(
        _ cursor: inout ReconcileCursor,
        earliest: Instant,
        into histories: inout [ReconcileReport.History]
    ) async throws(ReconcileStop) {
        var history = ReconcileReport.History(
            bundleID: client.bundleID,
            environment: environment,
            from: cursor.fetchedUntil,
            until: now,
            onlyFailures: false
        )
        if cursor.fetchedUntil < earliest {
            history.outOfReach = ReconcileReport.Gap(from: cursor.fetchedUntil, until: earliest)
            history.from = earliest
            metrics.countOutOfReach(earliest.milliseconds - cursor.fetchedUntil.milliseconds)
        }
        histories.append(history)
        let place = histories.count - 1
        var start = history.from
        var span = Self.firstWindow
        while start < now {
            let end = min(start.advanced(byMilliseconds: span), now)
            let pages = try await fetch(
                from: start,
                until: end,
                isWhole: span <= Self.shortestWindow,
                into: &histories[place]
            )
            guard let pages else {
                span = max(span / 4, Self.shortestWindow)
                continue
            }
            if pages <= 1 { span = min(2 * span, Self.longestWindow) }
            start = end
            cursor.fetchedUntil = min(end, now.advanced(byMilliseconds: -Self.overlap))
            if end == now {
                cursor.everythingAt = now
                if cursor.failuresAt != nil { cursor.failuresAt = now }
            }
            try await write(cursor)
        }
    }

    private func fetchFailures(
        _ cursor: inout ReconcileCursor,
        earliest: Instant,
        into histories: inout [ReconcileReport.History]
    ) async throws(ReconcileStop) {
        let recent = now.advanced(byMilliseconds: -Self.retryPeriod)
        let from = cursor.failuresAt == nil ? earliest : max(earliest, recent)
        histories.append(
            ReconcileReport.History(
                bundleID: client.bundleID,
                environment: environment,
                from: from,
                until: now,
                onlyFailures: true
            )
        )
        let place = histories.count - 1
        _ = try await fetch(from: from, until: now, onlyFailures: true, isWhole: true, into: &histories[place])
        cursor.failuresAt = now
        try await write(cursor)
    }

    private func write(_ cursor: ReconcileCursor) async throws(ReconcileStop) {
        try await run.storing { store async throws(StoreError) in try await store.setReconcileCursor(cursor) }
    }

    /// Fetches and appends one window. A pagination token that ends on the way costs a second start.
    ///
    /// - Parameter isWhole: whether to go on past `pagesOfWindow`.
    /// - Returns: the pages that it had; nil: it has too many, and not all of them were fetched.
    private func fetch(
        from start: Instant,
        until end: Instant,
        onlyFailures: Bool = false,
        isWhole: Bool,
        into history: inout ReconcileReport.History
    ) async throws(ReconcileStop) -> Int? {
        let last = end == now ? end.advanced(byMilliseconds: Self.clockTolerance) : end
        let query = NotificationHistoryQuery(startsAt: start, endsAt: last, onlyFailures: onlyFailures)
        do throws(ReconcileStop) {
            return try await fetch(query, isWhole: isWhole, into: &history)
        } catch {
            guard case .api(let reason) = error,
                reason.code == .paginationTokenExpired || reason.code == .invalidPaginationToken
            else { throw error }
        }
        return try await fetch(query, isWhole: isWhole, into: &history)
    }

    private func fetch(
        _ query: NotificationHistoryQuery,
        isWhole: Bool,
        into history: inout ReconcileReport.History
    ) async throws(ReconcileStop) -> Int? {
        var pages = client.notificationHistoryPages(query, in: environment)
        var count = 0
        while true {
            var walk = pages
            let page = try await run.call { () async throws(ServerAPIError) in try await walk.next() }
            pages = walk
            guard let page else { return count }
            count += 1
            let parts = page.entries.map(\.notification)
            let intake = intake
            let outcomes = try await run.storing { _ async throws(StoreError) in
                try await intake.take(parts, isNotification: true)
            }
            for outcome in outcomes {
                history.notifications += 1
                switch outcome {
                case .appended: history.appended += 1
                case .known: break
                case .refused: history.refused += 1
                case .parked: history.parked += 1
                }
                metrics.countReconciledNotification(outcome)
            }
            if count >= Self.pagesOfWindow, page.hasMore, !isWhole { return nil }
        }
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
