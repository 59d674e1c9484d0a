import EntitlementDomain
import EventStore
import Testing

/// Whoever waits for a change or for a position is woken when it is there, on any instance.
///
/// No time is measured. What must be told is told although nobody looks without a reason for an hour, and a wait that nothing
/// ended would outlast the suite's limit.
@Suite(.timeLimit(.minutes(2))) struct LongPollTests {
    private static let never: Duration = .seconds(3_600)

    private let account = Sample.account(1)

    /// Lets a reader wait for each of some appends before it is made.
    private func append(
        _ count: Int,
        with writer: PostgresEventStore,
        whileWaiting reader: PostgresEventStore
    ) async throws {
        for number in 0..<count {
            let end = try await reader.feedEnd()
            async let woken = next(reader, after: end)
            // The reader mostly waits by then; where it does not, it finds the change without waiting.
            try await Task.sleep(for: .milliseconds(30))
            let facts = Sample.month("a", from: number, for: account)
            let head = try await writer.append(Sample.statement(facts, name: "\(number)")).head
            #expect(try await woken == FeedPosition(head))
        }
    }

    /// The place of the next change of the account.
    private func next(_ store: PostgresEventStore, after place: FeedPosition) async throws -> FeedPosition {
        let page = try await store.changes(FeedQuery(after: place), upTo: Self.never)
        #expect(page.changes.map(\.account) == [account])
        return page.position
    }

    @Test func theInstanceThatAppendedWakesItsOwnReaders() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore(feedInterval: Self.never)
            try await append(5, with: store, whileWaiting: store)
        }
    }

    @Test func otherInstancesAreTold() async throws {
        try await FeedDatabase.with { database in
            let writer = database.makeStore(feedInterval: Self.never)
            let reader = database.makeStore(feedInterval: Self.never)
            writer.start()
            reader.start()
            try await append(5, with: writer, whileWaiting: reader)
        }
    }

    /// One that is not started, such as a command of the operator, tells nobody: then looking must do.
    @Test func otherInstancesSeeWhatNobodyTells() async throws {
        try await FeedDatabase.with { database in
            let (writer, reader) = (database.makeStore(), database.makeStore())
            reader.start()
            try await append(5, with: writer, whileWaiting: reader)
        }
    }

    @Test func aClockChangeWakes() async throws {
        try await FeedDatabase.with { database in
            let (writer, reader) = (database.makeStore(), database.makeStore())
            writer.start()
            reader.start()
            let head = try await writer.append(Sample.statement(Sample.month("a", for: account), name: "1")).head
            async let woken = next(reader, after: FeedPosition(head))
            try await Task.sleep(for: .milliseconds(50))
            database.clock.now = Sample.day(30)
            #expect(try await woken == FeedPosition(head, ordinal: 1))
        }
    }

    @Test func waitingEndsInTime() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore(feedInterval: Self.never)
            let end = try await store.feedEnd()
            let start = ContinuousClock.now
            let page = try await store.changes(FeedQuery(after: end), upTo: .milliseconds(120))
            #expect(page.changes.isEmpty && page.position == end)
            #expect(start.duration(to: .now) >= .milliseconds(120))
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
            async let page = store.changes(FeedQuery(after: end), upTo: Self.never)
            async let refused = refusal {
                try await store.wait(for: LogPosition(epoch: end.log.epoch, number: 1_000), upTo: Self.never)
            }
            try await Task.sleep(for: .milliseconds(30))
            store.endWaiting()
            #expect(try await page.position == end)
            #expect(await refused?.isEpochChanged == false)
        }
    }

    @Test func aReaderThatIsCancelledGoes() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let end = try await store.feedEnd()
            let waiting = Task { try await store.changes(FeedQuery(after: end), upTo: Self.never) }
            try await Task.sleep(for: .milliseconds(30))
            waiting.cancel()
            _ = await waiting.result
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
