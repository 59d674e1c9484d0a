package import EntitlementDomain

extension PostgresEventStore {
    /// Begins what an instance does in the background: it brings the clock's changes into the feed and hears of what other
    /// instances write. Ends with `close`.
    package func start() {
        keeper.start()
    }

    /// Ends all waiting for changes and positions, so that a service can finish what it is asked.
    package func endWaiting() {
        keeper.endWaiting()
    }

    /// Whether waiting was ended.
    package var isEnding: Bool { keeper.watch.isEnded }

    /// A page of the change feed. What the clock has changed by now is in it.
    ///
    /// - Parameter limit: how long to wait for a change when there is none.
    /// - Throws: `positionNotReached` for a place of another epoch, and for one that is not there in time.
    package func changes(_ query: FeedQuery, upTo limit: Duration = .zero) async throws(StoreError) -> FeedPage {
        let deadline = ContinuousClock.now.advanced(by: limit)
        var query = query
        var seen: FeedPosition?
        while true {
            let page: FeedPage
            do throws(StoreError) {
                page = limit > .zero ? try await sharedPage(query) : try await self.page(query)
            } catch .positionNotReached(isEpochChanged: false, let current) {
                // This database may be behind the one that the reader has read before.
                guard ContinuousClock.now < deadline, !Task.isCancelled, !isEnding, let after = query.after else {
                    throw .positionNotReached(isEpochChanged: false, current: current)
                }
                await wait(until: deadline, paces: seen == FeedPosition(current)) {
                    $0.log.epoch != after.log.epoch || $0 >= after
                }
                seen = FeedPosition(current)
                continue
            }
            if !page.changes.isEmpty || page.hasMore || ContinuousClock.now >= deadline || Task.isCancelled || isEnding
            {
                return page
            }
            // Nothing up to here concerns the reader, so it need not be looked through again.
            query.after = page.head
            await wait(until: deadline, paces: seen == page.head) { $0 > page.head }
            seen = page.head
        }
    }

    /// Waits until the log has reached a position.
    ///
    /// - Throws: `positionNotReached` when the time is over, or at once when the position is of another epoch.
    package func wait(for wanted: LogPosition, upTo limit: Duration) async throws(StoreError) {
        let deadline = ContinuousClock.now.advanced(by: limit)
        var seen: LogPosition?
        while true {
            let current = try await position()
            if current.epoch != wanted.epoch { throw .positionNotReached(isEpochChanged: true, current: current) }
            if current.number >= wanted.number { return }
            if ContinuousClock.now >= deadline || Task.isCancelled || isEnding {
                throw .positionNotReached(isEpochChanged: false, current: current)
            }
            await wait(until: deadline, paces: seen == current) {
                $0.log.epoch != wanted.epoch || $0.log.number >= wanted.number
            }
            seen = current
        }
    }

    private func sharedPage(_ query: FeedQuery) async throws(StoreError) -> FeedPage {
        do {
            return try await feedReads.page(query) { try await self.page(query) }
        } catch {
            throw StoreError(error)
        }
    }

    private func page(_ query: FeedQuery) async throws(StoreError) -> FeedPage {
        let page = try await reading { try FeedReader.page(query, $0) }
        guard !page.hasMore, let dueAt = page.dueAt, dueAt <= clock() else { return page }
        // A standby cannot write; the changes come with the primary's.
        // Somebody else may have been quicker with it, after the page was read.
        let isDone = (try? await keeper.doClockWork()) ?? false
        return isDone ? try await reading { try FeedReader.page(query, $0) } : page
    }

    /// - Parameter paces: whether the last wait brought nothing new: what was heard is ahead of what this database shows.
    private func wait(
        until deadline: ContinuousClock.Instant,
        paces: Bool,
        _ isReached: @escaping @Sendable (FeedPosition) -> Bool
    ) async {
        if paces { try? await Task.sleep(for: .milliseconds(10)) }
        await keeper.watch.wait(until: deadline, onWaiting: { keeper.waiterCame() }, isReached)
    }
}
