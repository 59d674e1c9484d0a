import EntitlementDomain
import EventStore
import Postgres
import Testing

/// Other instances are told of what was written: after the commit, and not for each commit.
@Suite(.timeLimit(.minutes(2))) struct WakeUpTests {
    @Test func manyAppendsAreToldOfInFewWords() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            store.start()
            let listener = PostgresThread(PostgresConfiguration(connectionString: database.ownerConnectionString)) {
                try $0.listen("entitled_feed")
            }
            _ = try await listener.run { try $0.waitForNotifications(timeout: .zero) }
            let start = ContinuousClock.now
            for number in 0..<200 {
                let facts = Sample.month("a", from: number, for: Sample.account(1))
                _ = try await store.append(Sample.statement(facts, name: "\(number)"))
            }
            let seconds = Double(start.duration(to: .now) / .seconds(1))
            var heard = 0
            let isHeard = try await eventually {
                heard += try await listener.run { try $0.waitForNotifications(timeout: .milliseconds(200)) }.count
                return heard > 0
            }
            #expect(isHeard)
            heard += try await listener.run { try $0.waitForNotifications(timeout: .milliseconds(200)) }.count
            #expect(Double(heard) <= 50 * seconds + 3)
            await listener.close()
        }
    }
}
