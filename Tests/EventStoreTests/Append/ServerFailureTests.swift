import EntitlementDomain
import EventStore
import Postgres
import StoreTesting
import Synchronization
import Testing

/// PostgreSQL goes away and comes back while statements are appended.
@Suite struct ServerFailureTests {
    @Test(arguments: [EmbeddedPostgres.StopMode.fast, .immediate, .kill])
    func everyStatementHasOneEffectInTheEnd(mode: EmbeddedPostgres.StopMode) async throws {
        let (lanes, each) = (8, 40)
        let server = try await PrivateServer.start()
        let database = StoreDatabase(
            owner: server.connectionString(user: "entitled", database: "entitled"),
            service: server.connectionString(user: StoreDatabase.serviceRole, database: "entitled")
        )
        try await database.owner { try SchemaMigrator.migrate($0) }
        let stores = database.makeStores(2)
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await deliver(each, in: lanes, to: stores, progress) }
            group.addTask {
                for round in 1...2 {
                    #expect(await eventually { progress.successes >= round * lanes * each / 4 })
                    try await server.stop(mode)
                    // Somebody must have noticed before it comes back.
                    let before = progress.failures
                    #expect(await eventually { progress.failures > before })
                    try await server.start()
                }
            }
            try await group.waitForAll()
        }
        #expect(progress.permanent == [])
        let events = try await database.events()
        #expect(events.map(\.position) == Array(1...Int64(lanes * each)))
        #expect(Set(events.map(\.statementID)).count == lanes * each)
        #expect(try await database.count("SELECT count(*) FROM entitled.statements") == Int64(lanes * each))
        #expect(try await database.owner { try HashChain($0).broken } == [])
        // What was acknowledged before the server went away was not lost.
        #expect(progress.acknowledged.allSatisfy { events[Int($0.position) - 1].statementID == $0.identity })
        await database.close()
        try await server.remove()
    }

    /// Sessions are ended at any moment, also while they commit.
    @Test func everyEndOfASessionIsTemporary() async throws {
        try await StoreDatabase.with { database in
            let stores = database.makeStores(2)
            let (lanes, each) = (4, 100)
            let progress = Progress()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await deliver(each, in: lanes, to: stores, progress) }
                group.addTask {
                    while progress.successes < lanes * each, progress.permanent.isEmpty {
                        try await database.owner {
                            try $0.execute(
                                """
                                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ 'COMMIT'
                                """
                            )
                        }
                        try await Task.sleep(for: .milliseconds(5))
                    }
                }
                try await group.waitForAll()
            }
            #expect(progress.failures > 0)
            #expect(progress.permanent == [])
            #expect(try await database.count("SELECT count(*) FROM entitled.events") == Int64(lanes * each))
        }
    }

    @Test func aTransactionThatCouldNotBeRolledBackFailsForItsOwnReason() async throws {
        try await StoreDatabase.with { database in
            let failure = try await database.owner { session -> String in
                do {
                    try session.transaction { _ in
                        _ = try? session.query("SELECT pg_terminate_backend(pg_backend_pid())")
                        throw StoreError.unavailable("as it was")
                    }
                    return "nothing"
                } catch {
                    return "\(StoreError(error))"
                }
            }
            #expect(failure == "\(StoreError.unavailable("as it was"))")
        }
    }

    /// Delivers renewals of several lines, those of one after the other and the lines side by side.
    private func deliver(
        _ each: Int,
        in lanes: Int,
        to stores: [PostgresEventStore],
        _ progress: Progress
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in 0..<each {
                        let statement = Sample.upload(Sample.month("line\(lane)", number))
                        try await deliver(statement, to: stores[lane % 2], progress)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Delivers again and again until it is acknowledged, as the App Store does.
    private func deliver(_ statement: StatementRecord, to store: PostgresEventStore, _ progress: Progress) async throws
    {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            do throws(StoreError) {
                let outcome = try await store.append(.statement(statement, claim: nil))
                progress.succeeded(statement.identity, outcome)
                return
            } catch {
                progress.failed(error)
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        Issue.record("a statement was never acknowledged")
    }

    private final class Progress: Sendable {
        private struct State {
            var successes = 0
            var failures = 0
            var permanent: [String] = []
            var acknowledged: [(identity: [UInt8], position: Int64)] = []
        }

        private let state = Mutex(State())

        func succeeded(_ identity: [UInt8], _ outcome: AppendOutcome) {
            state.withLock { state in
                state.successes += 1
                if let event = outcome.events.first { state.acknowledged.append((identity, event.position)) }
            }
        }

        func failed(_ error: StoreError) {
            state.withLock { state in
                state.failures += 1
                if !error.isTemporary { state.permanent.append(error.description) }
            }
        }

        var successes: Int { state.withLock { $0.successes } }
        var failures: Int { state.withLock { $0.failures } }
        /// The errors that did not say that the same work may succeed later.
        var permanent: [String] { state.withLock { $0.permanent } }
        var acknowledged: [(identity: [UInt8], position: Int64)] { state.withLock { $0.acknowledged } }
    }

    @Test func aServerThatIsNotThereIsATemporaryError() async throws {
        let server = try await PrivateServer.start()
        let database = StoreDatabase(
            owner: server.connectionString(user: "entitled", database: "entitled"),
            service: server.connectionString(user: StoreDatabase.serviceRole, database: "entitled")
        )
        try await database.owner { try SchemaMigrator.migrate($0) }
        let store = database.makeStore()
        try await server.stop(.fast)
        let statement = Sample.upload(Sample.month("1"))
        let attempts: [@Sendable () async throws -> Void] = [
            { try await store.check() },
            { _ = try await store.append(.statement(statement, claim: nil)) },
            { _ = try await store.events(EventQuery()) },
            { _ = try await store.position() },
            { _ = try await store.snapshot(ofAccount: Sample.account, in: .production) },
            { try await store.wait(for: LogPosition(epoch: 1, number: 1), upTo: .seconds(1)) },
            { try await store.park("text", reason: "invalidChain", at: Sample.recordedAt) },
            { _ = try await store.keys() },
        ]
        for attempt in attempts {
            let error = try await storeError(attempt)
            guard case .unavailable? = error else {
                Issue.record("\(error.map(\.description) ?? "no error")")
                continue
            }
        }
        try await server.start()
        for attempt in attempts.dropLast(3) { #expect(try await storeError(attempt) == nil) }
        await database.close()
        try await server.remove()
    }
}
