import EntitlementDomain
import EntitlementService
import EventStore
import Synchronization
import Testing

@testable import EntitlementService

/// A cache does not read again what its own instance has written, and reads all that another one has.
@Suite(.timeLimit(.minutes(1))) struct FeedStretchTests {
    private static func place(_ number: Int64, _ ordinal: Int64 = 0, epoch: Int = 1) -> FeedPosition {
        FeedPosition(LogPosition(epoch: epoch, number: number), ordinal: ordinal)
    }

    private static func changes(from after: FeedPosition, to end: FeedPosition) -> AppendedChanges {
        AppendedChanges(accounts: [], stretch: FeedStretch(after: after, end: end))
    }

    @Test func groupsOneBehindTheOtherAreSkippedTogether() {
        let cache = AnswerCache(CacheConfiguration())
        #expect(cache.unread(after: Self.place(3)) == Self.place(3))
        cache.noteAppended(Self.changes(from: Self.place(5), to: Self.place(7)))
        cache.noteAppended(Self.changes(from: Self.place(7), to: Self.place(9, 2)))
        for place in [Self.place(5), Self.place(6), Self.place(7), Self.place(9, 2)] {
            #expect(cache.unread(after: place) == Self.place(9, 2))
        }
        for place in [Self.place(4), Self.place(4, 3), Self.place(9, 3), Self.place(10), Self.place(6, epoch: 2)] {
            #expect(cache.unread(after: place) == place)
        }
    }

    @Test func whatAnotherOneWroteInBetweenIsRead() {
        let cache = AnswerCache(CacheConfiguration())
        cache.noteAppended(Self.changes(from: Self.place(5), to: Self.place(7)))
        // The clock's work has no position of its own.
        cache.noteAppended(Self.changes(from: Self.place(7, 1), to: Self.place(9)))
        #expect(cache.unread(after: Self.place(6)) == Self.place(6))
        #expect(cache.unread(after: Self.place(7)) == Self.place(7))
        #expect(cache.unread(after: Self.place(7, 1)) == Self.place(9))
    }

    /// What a store says of its own stretches is where the feed ended before and ends afterwards, whatever went between.
    @Test func aStoreTellsWhichPlacesItsGroupsTook() async throws {
        try await FeedDatabase.with { database in
            let told = Mutex<[FeedStretch]>([])
            let other = database.makeStore()
            let store = database.makeStore { changes in told.withLock { $0.append(changes.stretch) } }
            var expected: [FeedStretch] = []
            for round in 0..<3 {
                let before = try await store.feedEnd()
                // Several accounts in one group, and a purchase that the clock ends.
                _ = try await store.append(
                    (1...3).map {
                        Sample.statement(
                            Sample.month("\(round).\($0)", for: Sample.account($0)),
                            name: "\(round).\($0)"
                        )
                    }
                )
                let after = try await store.feedEnd()
                expected.append(FeedStretch(after: before, end: after))
                _ = try await other.append(
                    Sample.statement(Sample.month("o\(round)", for: Sample.account(9)), name: "o\(round)")
                )
            }
            // The month ends, which gives the accounts new places under the last position.
            database.clock.now = Sample.day(40)
            let before = try await store.feedEnd()
            _ = try await store.changes(FeedQuery(after: before))
            let moved = try await store.feedEnd()
            #expect(moved.ordinal > 0)
            let head = try await store.append(
                Sample.statement(Sample.month("last", for: Sample.account(1)), name: "last")
            ).head
            expected.append(FeedStretch(after: moved, end: FeedPosition(head)))
            #expect(told.withLock(\.self) == expected)
        }
    }
}
