import EntitlementDomain
import EventStore
import Postgres
import Testing

/// Law 10: a client can demand a position on any instance, and a cursor from before a fail-over is refused.
@Suite struct PositionTests {
    private func isEpochChanged(_ error: StoreError?) -> Bool? {
        if case .positionNotReached(let isEpochChanged, _)? = error { isEpochChanged } else { nil }
    }

    @Test func whatOneInstanceWroteAnotherOneReads() async throws {
        try await StoreDatabase.with { database in
            let (writing, reading) = (database.makeStore(), database.makeStore())
            for number in 0..<20 {
                let statement = Sample.upload(Sample.month("1", number, token: Sample.account))
                let outcome = try await writing.append(.statement(statement, claim: nil))
                try await reading.wait(for: outcome.head, upTo: .seconds(10))
                let snapshot = try await reading.snapshot(
                    ofAccount: Sample.account,
                    in: .production,
                    reach: .whole
                )
                #expect(snapshot.position == outcome.head)
                #expect(snapshot.account.lines.first?.transactions.count == number + 1)
            }
        }
    }

    @Test func aReaderThatWaitsIsServedByALaterAppendElsewhere() async throws {
        try await StoreDatabase.with { database in
            let (writing, reading) = (database.makeStore(), database.makeStore())
            async let waiting: Void = reading.wait(for: LogPosition(epoch: 1, number: 3), upTo: .seconds(30))
            for number in 0..<3 {
                _ = try await writing.append(.statement(Sample.upload(Sample.month("1", number)), claim: nil))
            }
            try await waiting
            #expect(try await reading.position().number == 3)
        }
    }

    @Test func aPositionThatDoesNotComeIsAnErrorWhenTheTimeIsOver() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            for limit in [Duration.zero, .milliseconds(30)] {
                let error = try await storeError {
                    try await store.wait(for: LogPosition(epoch: 1, number: 1), upTo: limit)
                }
                #expect(isEpochChanged(error) == false)
            }
            try await store.wait(for: LogPosition(epoch: 1, number: 0), upTo: .zero)
        }
    }

    @Test(arguments: [0, 2]) func anotherEpochIsRefusedAtOnce(epoch: Int) async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let started = ContinuousClock.now
            let error = try await storeError {
                try await store.wait(for: LogPosition(epoch: epoch, number: 0), upTo: .seconds(30))
            }
            #expect(isEpochChanged(error) == true)
            #expect(started.duration(to: .now) < .seconds(10))
            let paging = try await storeError {
                try await store.events(EventQuery(after: LogPosition(epoch: epoch, number: 0)))
            }
            #expect(isEpochChanged(paging) == true)
        }
    }

    @Test func theFirstAppendAfterAFailOverRaisesTheEpoch() async throws {
        try await StoreDatabase.with { database in
            let first = database.makeStore()
            let before = try await first.append(.statement(Sample.upload(Sample.month("1")), claim: nil)).head
            #expect(before == LogPosition(epoch: 1, number: 1))
            try await simulateFailOver(database)
            // New sessions, on several instances at once, raise it once.
            let stores = database.makeStores(4)
            try await withThrowingTaskGroup(of: LogPosition.self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        try await store.append(.statement(Sample.upload(Sample.month("line\(number)")), claim: nil))
                            .head
                    }
                }
                for try await head in group { #expect(head.epoch == 2) }
            }
            #expect(try await first.position() == LogPosition(epoch: 2, number: 5))
            #expect(isEpochChanged(try await storeError { try await first.events(EventQuery(after: before)) }) == true)
            #expect(isEpochChanged(try await storeError { try await first.wait(for: before, upTo: .zero) }) == true)
            let page = try await first.events(EventQuery(after: LogPosition(epoch: 2, number: 0)))
            #expect(page.events.map(\.position) == [1, 2, 3, 4, 5])
        }
    }

    @Test func anAppendThatChangesNothingRaisesTheEpochAsWell() async throws {
        try await StoreDatabase.with { database in
            let statement = Sample.upload(Sample.month("1"))
            _ = try await database.makeStore().append(.statement(statement, claim: nil))
            try await simulateFailOver(database)
            let outcome = try await database.makeStore().append(.statement(statement, claim: nil))
            #expect(outcome.isDuplicate)
            #expect(outcome.head == LogPosition(epoch: 2, number: 1))
        }
    }

    /// A standby that is promoted goes on under a timeline of its own; here the log is made to remember another one.
    private func simulateFailOver(_ database: StoreDatabase) async throws {
        try await database.owner { try $0.execute("UPDATE entitled.log_head SET timeline = 999") }
    }
}
