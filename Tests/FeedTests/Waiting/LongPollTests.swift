import EntitlementDomain
import EventStore
import Testing

/// Whoever waits for a change or for a position is woken when it is there, on any instance.
@Suite(.timeLimit(.minutes(2))) struct LongPollTests {
    private let account = Sample.account(1)

    /// The median of the times from an append on one instance to the answer on another one, or the same.
    private func medianLatency(
        _ writer: PostgresEventStore,
        _ reader: PostgresEventStore
    ) async throws -> Duration {
        var latencies: [Duration] = []
        for number in 0..<15 {
            let end = try await reader.feedEnd()
            async let woken = time(reader, after: end)
            // The reader waits by then.
            try await Task.sleep(for: .milliseconds(30))
            _ = try await writer.append(
                Sample.statement(Sample.month("a", from: number, for: account), name: "\(number)")
            )
            let written = ContinuousClock.now
            latencies.append(try await written.duration(to: woken))
        }
        return latencies.sorted()[latencies.count / 2]
    }

    private func time(_ store: PostgresEventStore, after place: FeedPosition) async throws -> ContinuousClock.Instant {
        let page = try await store.changes(FeedQuery(after: place), upTo: .seconds(10))
        #expect(page.changes.map(\.account) == [account])
        return .now
    }

    @Test func theInstanceThatAppendedWakesItsOwnReadersAtOnce() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let latency = try await medianLatency(store, store)
            print("long poll, same instance: median \(latency)")
            #expect(latency < .milliseconds(50))
        }
    }

    @Test(arguments: [true, false])
    func otherInstancesAreWokenSoon(writerTells: Bool) async throws {
        try await FeedDatabase.with { database in
            let (writer, reader) = (database.makeStore(), database.makeStore())
            // One that is not started, such as a command of the operator, tells nobody: then looking must do.
            if writerTells { writer.start() }
            reader.start()
            let latency = try await medianLatency(writer, reader)
            print("long poll, another instance, \(writerTells ? "told" : "not told"): median \(latency)")
            #expect(latency < .milliseconds(250))
        }
    }

    @Test func aClockChangeWakesAtItsInstant() async throws {
        try await FeedDatabase.with { database in
            let (writer, reader) = (database.makeStore(), database.makeStore())
            writer.start()
            reader.start()
            let head = try await writer.append(Sample.statement(Sample.month("a", for: account), name: "1")).head
            async let woken = time(reader, after: FeedPosition(head))
            try await Task.sleep(for: .milliseconds(50))
            database.clock.now = Sample.day(30)
            let moved = ContinuousClock.now
            let latency = try await moved.duration(to: woken)
            print("clock change: \(latency)")
            #expect(latency < .seconds(2))
        }
    }

    @Test func waitingEndsInTime() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let end = try await store.feedEnd()
            let start = ContinuousClock.now
            let page = try await store.changes(FeedQuery(after: end), upTo: .milliseconds(120))
            let waited = start.duration(to: .now)
            #expect(page.changes.isEmpty && page.position == end)
            #expect(waited >= .milliseconds(120) && waited < .seconds(5))
        }
    }

    @Test func changesThatDoNotConcernTheReaderDoNotEndItsWait() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let end = try await store.feedEnd()
            async let page = store.changes(FeedQuery(after: end, environment: .sandbox), upTo: .seconds(60))
            for number in 0..<5 {
                let facts = Sample.month("p\(number)", for: account)
                _ = try await store.append(Sample.statement(facts, name: "\(number)"))
            }
            let facts = Sample.month("s", for: account)
            let head = try await store.append(Sample.statement(facts, name: "s", in: .sandbox)).head
            let found = try await page
            #expect(found.changes.map(\.environment) == [.sandbox])
            #expect(found.position == FeedPosition(head))
        }
    }

    @Test func aStoppingInstanceSendsItsReadersAway() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let end = try await store.feedEnd()
            let start = ContinuousClock.now
            async let page = store.changes(FeedQuery(after: end), upTo: .seconds(30))
            async let refused = refusal {
                try await store.wait(for: LogPosition(epoch: end.log.epoch, number: 1_000), upTo: .seconds(30))
            }
            try await Task.sleep(for: .milliseconds(30))
            store.endWaiting()
            #expect(try await page.position == end)
            #expect(await refused?.isEpochChanged == false)
            #expect(start.duration(to: .now) < .seconds(10))
        }
    }

    @Test func aReaderThatIsCancelledGoes() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let end = try await store.feedEnd()
            let waiting = Task { try await store.changes(FeedQuery(after: end), upTo: .seconds(30)) }
            try await Task.sleep(for: .milliseconds(30))
            let start = ContinuousClock.now
            waiting.cancel()
            _ = await waiting.result
            #expect(start.duration(to: .now) < .seconds(10))
        }
    }

    @Test func manyWaitForTheSameChange() async throws {
        try await FeedDatabase.with { database in
            let (writer, reader) = (database.makeStore(), database.makeStore())
            reader.start()
            let end = try await reader.feedEnd()
            try await withThrowingTaskGroup(of: [AccountID].self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        try await reader.changes(FeedQuery(after: end), upTo: .seconds(20)).changes.map(\.account)
                    }
                }
                _ = try await writer.append(Sample.statement(Sample.month("a", for: account), name: "1"))
                for try await accounts in group { #expect(accounts == [account]) }
            }
        }
    }

    @Test func manyWaitForOnePosition() async throws {
        try await FeedDatabase.with { database in
            let (writer, reader) = (database.makeStore(), database.makeStore())
            let head = try await writer.position()
            let wanted = LogPosition(epoch: head.epoch, number: head.number + 3)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { try await reader.wait(for: wanted, upTo: .seconds(20)) } }
                for number in 0..<3 {
                    _ = try await writer.append(Sample.statement(Sample.month("a", from: number), name: "\(number)"))
                }
                try await group.waitForAll()
            }
            #expect(try await reader.position() == wanted)
        }
    }
}
