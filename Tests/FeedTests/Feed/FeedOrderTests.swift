import EntitlementDomain
import EventStore
import Synchronization
import TestKit
import Testing

/// The feed is in order, and a reader misses nothing, however slow it is and however many instances write.
@Suite(.timeLimit(.minutes(2))) struct FeedOrderTests {
    @Test func anAccountAppearsOnceAfterItsLastChange() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let (first, second) = (Sample.account(1), Sample.account(2))
            _ = try await store.append(Sample.statement(Sample.month("a", for: first), name: "1"))
            _ = try await store.append(Sample.statement(Sample.month("b", for: second), name: "2"))
            let last = try await store.append(Sample.statement(Sample.month("a", from: 30), name: "3")).head
            let changes = try await store.allChanges()
            #expect(changes.map(\.account) == [second, first])
            #expect(changes.map(\.cause) == [.event, .event])
            #expect(changes.last?.position == FeedPosition(last))
            // Every position of the log is a place to go on from.
            #expect(try await store.allChanges(after: FeedPosition(last)).isEmpty)
            let before = FeedPosition(LogPosition(epoch: last.epoch, number: last.number - 1))
            #expect(try await store.allChanges(after: before).map(\.account) == [first])
        }
    }

    @Test func anEventThatChangesNothingMovesNobody() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(Sample.statement(Sample.month("a", for: Sample.account(1)), name: "1"))
            let end = try await store.feedEnd()
            let head = try await store.append(Sample.statement(nil, name: "of no line", line: "x")).head
            let page = try await store.changes(FeedQuery(after: end))
            #expect(page.changes.isEmpty)
            #expect(page.position == FeedPosition(head))
        }
    }

    @Test func bothAccountsOfATransferAppearEvenInPagesOfOne() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let (from, to) = (Sample.account(1), Sample.account(2))
            _ = try await store.append(Sample.statement(Sample.month("a", for: from), name: "1"))
            let end = try await store.feedEnd()
            let head = try await store.append(Sample.command(.transfer(to: to), on: from)).head
            let page = try await store.changes(FeedQuery(after: end, limit: 1))
            #expect(page.changes.count == 1 && page.hasMore)
            let rest = try await store.changes(FeedQuery(after: page.position, limit: 1))
            #expect(rest.changes.count == 1 && !rest.hasMore)
            let changes = page.changes + rest.changes
            #expect(Set(changes.map(\.account)) == [from, to])
            #expect(changes.allSatisfy { $0.position.log == head })
            #expect(try await store.changes(FeedQuery(after: rest.position)).changes.isEmpty)
        }
    }

    @Test func environmentsAreToldApart() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let account = Sample.account(1)
            for environment in [StoreEnvironment.production, .sandbox] {
                _ = try await store.append(
                    Sample.statement(
                        Sample.month("a", for: account),
                        name: "\(environment)",
                        in: environment
                    )
                )
            }
            #expect(try await store.changes(FeedQuery()).changes.map(\.environment) == [.production, .sandbox])
            let page = try await store.changes(FeedQuery(environment: .production))
            #expect(page.changes.map(\.environment) == [.production])
            #expect(page.position == page.head && !page.hasMore)
        }
    }

    @Test func aSlowReaderMissesNothingOfSeveralInstances() async throws {
        let seed = SeededGenerator.seedOfThisRun("aSlowReaderMissesNothingOfSeveralInstances")
        try await FeedDatabase.with { database in
            let writers = (0..<3).map { _ in database.makeStore() }
            let reader = database.makeStore()
            let writing = Writing()
            async let seen = follow(reader, writing)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<12 {
                    let store = writers[lane % writers.count]
                    group.addTask { try await writing.write(lane, to: store, seed: seed) }
                }
                try await group.waitForAll()
            }
            writing.isDone.withLock { $0 = true }
            let changes = try await seen
            #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.position < $1.position }, "seed \(seed)")
            var newest: [AccountID: Int64] = [:]
            for change in changes { newest[change.account] = change.position.log.number }
            #expect(newest == writing.last.withLock { $0 }, "seed \(seed)")
        }
    }

    /// What was written, by several tasks at the same time.
    private final class Writing: Sendable {
        /// The position of each account's last change.
        let last = Mutex<[AccountID: Int64]>([:])
        let isDone = Mutex(false)

        func write(_ lane: Int, to store: PostgresEventStore, seed: UInt64) async throws {
            var random = SeededGenerator(seed: seed &+ UInt64(lane))
            for number in 0..<25 {
                let account = Sample.account(Int.random(in: 0..<20, using: &random))
                let facts = Sample.month("line-\(lane)-\(number)", for: account)
                let outcome = try await store.append(Sample.statement(facts, name: "\(lane) \(number)"))
                let position = outcome.events.last?.position ?? 0
                last.withLock { $0[account] = max($0[account] ?? 0, position) }
            }
        }
    }

    /// Reads page after small page, and once more to the end when the writers are done.
    private func follow(_ store: PostgresEventStore, _ writing: Writing) async throws -> [FeedChange] {
        var query = FeedQuery(limit: 3)
        var changes: [FeedChange] = []
        while true {
            let isLast = writing.isDone.withLock { $0 }
            let page = try await store.changes(query)
            changes += page.changes
            query.after = page.position
            if isLast, !page.hasMore { return changes }
        }
    }

    @Test func aPlaceOfAnotherEpochIsRefused() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(Sample.statement(Sample.month("a", for: Sample.account(1)), name: "1"))
            let place = try await store.feedEnd()
            try await database.simulateFailOver()
            let head = try await database.makeStore().append(Sample.statement(Sample.month("a", from: 30), name: "2"))
                .head
            #expect(head.epoch == place.log.epoch + 1)
            for wait in [Duration.zero, .seconds(30)] {
                let refusal = await refusal { try await store.changes(FeedQuery(after: place), upTo: wait) }
                #expect(refusal?.isEpochChanged == true && refusal?.current == head)
            }
            #expect(try await store.allChanges().count == 1)
        }
    }

    @Test func aPlaceThatIsNotThereYetIsWaitedForAndThenRefused() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let end = try await store.feedEnd()
            let ahead = FeedPosition(LogPosition(epoch: end.log.epoch, number: end.log.number + 1))
            let refusal = await refusal { try await store.changes(FeedQuery(after: ahead)) }
            #expect(refusal?.isEpochChanged == false && refusal?.current == end.log)
            async let page = store.changes(FeedQuery(after: ahead), upTo: .seconds(20))
            let account = Sample.account(1)
            let writer = database.makeStore()
            _ = try await writer.append(Sample.statement(Sample.month("b", for: Sample.account(2)), name: "1"))
            _ = try await writer.append(Sample.statement(Sample.month("a", for: account), name: "2"))
            #expect(try await page.changes.map(\.account) == [account])
        }
    }
}
