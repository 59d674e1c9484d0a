import Dispatch
import EntitlementDomain
import EventStore
import Postgres
import Testing

/// Law 2: positions are 1, 2, 3 … without holes, and a reader that has seen one never later finds a row at or below it.
@Suite struct GaplessOrderTests {
    @Test func positionsHaveNoHolesAndReadersMissNothing() async throws {
        let (writers, lanes, each) = (4, 8, 25)
        let total = writers * lanes * each
        try await StoreDatabase.with { database in
            let stores = database.makeStores(writers)
            let reading = database.makeStore()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    for lane in 0..<lanes {
                        group.addTask {
                            for number in 0..<each {
                                let facts = Sample.month("\(writer)-\(lane)", number)
                                _ = try await stores[writer].append(.statement(Sample.upload(facts), claim: nil))
                            }
                        }
                    }
                }
                for limit in [1, 7, 1000] {
                    group.addTask { try await follow(reading, to: total, limit: limit) }
                }
                try await group.waitForAll()
            }
            let positions = try await database.events().map(\.position)
            #expect(positions == Array(1...Int64(total)))
            #expect(try await reading.position().number == Int64(total))
        }
    }

    /// Pages through the log from the start while it grows; every page must go on exactly where the one before ended.
    private func follow(_ store: PostgresEventStore, to end: Int, limit: Int) async throws {
        var seen = LogPosition(epoch: 1, number: 0)
        let deadline = ContinuousClock.now + .seconds(60)
        while seen.number < end {
            let page = try await store.events(EventQuery(after: seen, limit: limit))
            for event in page.events {
                #expect(event.position == seen.number + 1, "a row came out of order or was missed")
                seen.number = event.position
            }
            #expect(page.head.number >= seen.number)
            guard ContinuousClock.now < deadline else {
                Issue.record("only \(seen) reached")
                return
            }
        }
    }

    @Test func aReaderOfRawRowsNeverFindsOneBehindIt() async throws {
        let total: Int64 = 400
        try await StoreDatabase.with { database in
            let stores = database.makeStores(4)
            async let reading: Void = database.owner { try Self.watch($0, to: total) }
            try await withThrowingTaskGroup(of: Void.self) { writers in
                for number in 0..<Int(total) {
                    writers.addTask {
                        let facts = Sample.month("line\(number)")
                        _ = try await stores[number % 4].append(.statement(Sample.upload(facts), claim: nil))
                    }
                }
                try await writers.waitForAll()
            }
            try await reading
        }
    }

    /// Looks at the whole table again and again while it grows.
    private static func watch(_ session: PostgresSession, to end: Int64) throws {
        var seen: Int64 = 0
        let deadline = ContinuousClock.now + .seconds(60)
        while seen < end, ContinuousClock.now < deadline {
            let result = try session.query(
                """
                SELECT count(*), coalesce(max(position), 0), count(*) FILTER (WHERE position <= $1::bigint)
                FROM entitled.events
                """,
                [.int8(seen)]
            )
            let (count, last, behind) = (try result.int64(0, 0), try result.int64(0, 1), try result.int64(0, 2))
            #expect(behind == seen, "a row appeared at or below \(seen)")
            #expect(count == last, "the log has a hole below \(last)")
            seen = last
        }
        #expect(seen == end)
    }

    @Test func theLogGoesOnInTheNextPartitionAlsoUnderAReaderOfTheWholeLog() async throws {
        let last: Int64 = 16_777_214
        try await StoreDatabase.with { database in
            // As if the first partition were full but for one row.
            try await database.owner { try $0.execute("UPDATE entitled.log_head SET position = \(last)") }
            let store = database.makeStore()
            let reader = PostgresThread(PostgresConfiguration(connectionString: database.ownerConnectionString))
            // A reader's transaction that stays open for long, as an export's would.
            try await reader.run { session in
                try session.transaction { session in
                    try session.execute("SELECT count(*) FROM entitled.events")
                    let started = ContinuousClock.now
                    let done = DispatchSemaphore(value: 0)
                    Task {
                        for number in 0..<3 {
                            let statement = Sample.upload(Sample.month("1", number))
                            let outcome = try await store.append(.statement(statement, claim: nil))
                            #expect(outcome.head.number == last + Int64(number) + 1)
                        }
                        done.signal()
                    }
                    #expect(done.wait(timeout: .now() + 10) == .success, "the append waits for the reader")
                    #expect(started.duration(to: .now) < .seconds(10))
                }
            }
            await reader.close()
            #expect(try await database.events().map(\.position) == [last + 1, last + 2, last + 3])
            #expect(try await database.count("SELECT count(*) FROM entitled.events_00001") == 2)
        }
    }

    @Test func oneGroupMayCrossTheBoundaryOfPartitions() async throws {
        let last: Int64 = 16_777_200
        try await StoreDatabase.with { database in
            try await database.owner { try $0.execute("UPDATE entitled.log_head SET position = \(last)") }
            let stores = database.makeStores(2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let statement = Sample.upload(Sample.month("line\(number)"))
                        _ = try await stores[number % 2].append(.statement(statement, claim: nil))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.events().map(\.position) == Array(last + 1...last + 60))
        }
    }
}
