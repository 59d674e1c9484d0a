import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import JSON
import Synchronization
import TestKit
import Testing

/// Answers from memory on two instances while both append: never an answer that contradicts what the asker may know.
@Suite(.timeLimit(.minutes(3))) struct CachedServiceTests {
    /// What the log says of an account: at which position its grants were issued and revoked.
    private final class History: Sendable {
        /// Sorted by position: from there on, whether the account is entitled.
        private let changes = Mutex<[AccountID: [(position: Int64, isActive: Bool)]]>([:])

        func note(_ account: AccountID, at position: Int64, isActive: Bool) {
            changes.withLock { $0[account, default: []].append((position, isActive)) }
        }

        func isActive(_ account: AccountID, at position: Int64) -> Bool {
            changes.withLock { $0[account]?.last { $0.position <= position }?.isActive ?? false }
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .relaxed) }

        func set() { value.store(true, ordering: .relaxed) }
    }

    private struct Found {
        var isActive: Bool
        var position: LogPosition
    }

    private static func ask(
        _ service: FeedService,
        _ account: AccountID,
        minimum: LogPosition? = nil
    ) async throws -> Found {
        var params: JSONObject = ["account": .string(account.description)]
        if let minimum {
            params.set("minPosition", .string(minimum.description))
            params.set("waitMs", 10_000)
        }
        let answer = try await service.call("entitlements.get", .object(params))
        let result = try #require(answer["result"], "\(answer)")
        let position = try #require(result["position"]?.stringValue.flatMap { LogPosition($0) })
        let isActive = result["entitlements"]?.arrayValue?.contains { $0["active"]?.boolValue == true } ?? false
        return Found(isActive: isActive, position: position)
    }

    @Test func neverContradictsTheLogWhileTwoInstancesAppend() async throws {
        let seed = SeededGenerator.seedOfThisRun("neverContradictsTheLogWhileTwoInstancesAppend")
        try await FeedDatabase.with { database in
            try await FeedService.with(database, scopes: [.read, .admin]) { first in
                try await FeedService.with(database, scopes: [.read, .admin]) { second in
                    _ = try await first.server.start()
                    _ = try await second.server.start()
                    let services = [first, second]
                    let history = History()
                    let isOver = Flag()
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<4 {
                            group.addTask {
                                try await Self.change(number, services, history, seed)
                            }
                        }
                        for number in 0..<6 {
                            group.addTask {
                                try await Self.watch(services[number % 2], number, history, isOver, seed)
                            }
                        }
                        for _ in 0..<4 { try await group.next() }
                        isOver.set()
                        try await group.waitForAll()
                    }
                    for service in services {
                        let text = String(decoding: try await service.send("/metrics").bytes, as: UTF8.self)
                        #expect(!text.contains("\nentitled_cache_hits_total 0.0\n"), "nothing came from memory")
                    }
                }
            }
        }
    }

    /// Issues and revokes grants of one account through both instances in turn, and asks both after each.
    private static func change(
        _ number: Int,
        _ services: [FeedService],
        _ history: History,
        _ seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        let account = Sample.account(number)
        var grant: AccountID?
        for _ in 0..<40 {
            let writer = services[Int.random(in: 0..<2, using: &random)]
            let outcome: AppendOutcome
            if let id = grant {
                outcome = try await writer.store.append(Sample.command(.revokeGrant(id), on: account))
                grant = nil
            } else {
                outcome = try await writer.store.append(
                    Sample.command(.issueGrant(entitlement: "pro", startsAt: nil, endsAt: nil), on: account)
                )
                grant = outcome.commandID
            }
            let position = try #require(outcome.events.last?.position)
            history.note(account, at: position, isActive: grant != nil)
            // The instance that took it shows it at once, the other one when it is asked for the position.
            let here = try await ask(writer, account)
            #expect(here.isActive == (grant != nil), "seed \(seed): the instance that appended is stale")
            #expect(here.position.number >= position)
            let other = services[Int.random(in: 0..<2, using: &random)]
            let there = try await ask(other, account, minimum: outcome.head)
            #expect(there.isActive == (grant != nil), "seed \(seed): minPosition is not honoured")
            #expect(there.position.number >= outcome.head.number)
        }
    }

    /// Asks for all accounts until told to stop: each answer must be what the log says at the position it names.
    private static func watch(
        _ service: FeedService,
        _ number: Int,
        _ history: History,
        _ isOver: Flag,
        _ seed: UInt64
    ) async throws {
        var answers: [(account: AccountID, found: Found)] = []
        while !isOver.isSet {
            for account in (0..<4).map(Sample.account) { answers.append((account, try await ask(service, account))) }
            // Answers from memory never wait: without this the watchers would hold every thread, and nobody could change.
            try await Task.sleep(for: .milliseconds(2))
        }
        // Judged at the end, when the history is complete.
        for (account, found) in answers {
            #expect(
                found.isActive == history.isActive(account, at: found.position.number),
                "seed \(seed), watcher \(number), \(account) at \(found.position)"
            )
        }
        #expect(answers.count > 20)
    }

    @Test func aSilentFeedMeansReadingThrough() async throws {
        try await FeedDatabase.with { database in
            var cache = CacheConfiguration()
            cache.maximumLag = .zero
            // Nothing is ever heard in time, so everything is read.
            try await FeedService.with(database, cache: cache) { service in
                _ = try await service.server.start()
                for _ in 0..<3 { _ = try await Self.ask(service, Sample.account(1)) }
                let text = String(decoding: try await service.send("/metrics").bytes, as: UTF8.self)
                #expect(text.contains("\nentitled_cache_reading_through 1.0\n"))
                #expect(text.contains("\nentitled_cache_read_through_total 3.0\n"))
                #expect(text.contains("\nentitled_cache_hits_total 0.0\n"))
            }
        }
    }

    @Test func aNewCatalogIsSeenAtOnceWhereItWasPutAndSoonElsewhere() async throws {
        try await FeedDatabase.with { database in
            let account = Sample.account(1)
            let facts = Sample.month("2000001", for: account)
            _ = try await database.makeStore().append(Sample.statement(facts, name: "month"))
            try await FeedService.with(database) { first in
                try await FeedService.with(database) { second in
                    _ = try await first.server.start()
                    _ = try await second.server.start()
                    for service in [first, second] {
                        #expect(try await eventually { try await Self.isWarm(service, account) })
                        #expect(try await Self.entitlements(service, account) == ["pro"])
                    }
                    let without = try Sample.catalog(
                        Sample.catalogText.replacing(#""grants": ["pro"]"#, with: #""grants": ["max"]"#)
                    )
                    _ = try await first.store.append(.catalog(without))
                    #expect(try await Self.entitlements(first, account) == ["max"])
                    #expect(try await eventually { try await Self.entitlements(second, account) == ["max"] })
                }
            }
        }
    }

    private static func entitlements(_ service: FeedService, _ account: AccountID) async throws -> [String] {
        let answer = try await service.call("entitlements.get", ["account": .string(account.description)])
        return answer["result"]?["entitlements"]?.arrayValue?.compactMap { $0["entitlement"]?.stringValue } ?? []
    }

    private static func isWarm(_ service: FeedService, _ account: AccountID) async throws -> Bool {
        _ = try await ask(service, account)
        let text = String(decoding: try await service.send("/metrics").bytes, as: UTF8.self)
        return !text.contains("\nentitled_cache_hits_total 0.0\n")
    }
}
