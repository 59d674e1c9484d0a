import EntitlementAPI
import EntitlementDomain
import EventStore
import HTTPServer
import JSON
import Testing

@testable import EntitlementService

/// `GET /changes`: the feed as server-sent events.
@Suite(.timeLimit(.minutes(2))) struct ChangeStreamTests {
    private func append(_ number: Int, _ store: PostgresEventStore, day: Int = 0) async throws -> LogPosition {
        try await store.append(
            Sample.statement(
                Sample.month("line-\(number)", from: day, for: Sample.account(number)),
                name: "\(number) \(day)"
            )
        ).head
    }

    @Test func changesComeAsEventsAndAStreamGoesOnWhereItWas() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let port = try await service.server.start()
                let first = try await append(1, service.store)
                let client = try StreamClient(port: port, target: "/changes", key: service.key.text)
                let head = try await client.head()
                #expect(head.contains(" 200 "))
                #expect(head.contains("Content-Type: text/event-stream\r\n"))
                let event = try await client.event()
                #expect(event.id == first.description)
                #expect(event.name == "change")
                #expect(event.data["account"]?.stringValue == Sample.account(1).description)
                #expect(event.data["position"]?.stringValue == event.id)
                let second = try await append(2, service.store)
                #expect(try await client.event().id == second.description)
                client.disconnect()
                let third = try await append(3, service.store)
                database.clock.now = Sample.day(30)
                #expect(
                    try await eventually { try await service.store.allChanges(after: FeedPosition(third)).count == 3 }
                )
                // The header of a client that comes back counts more than the address it first asked at.
                let again = try StreamClient(
                    port: port,
                    target: "/changes?after=\(first)",
                    key: service.key.text,
                    headers: ["Last-Event-ID: \(second)"]
                )
                _ = try await again.head()
                // The third account may be told of by its event before the clock's change takes the place of it.
                var byClock: Set<String?> = []
                while byClock.count < 3 {
                    let event = try await again.event()
                    guard event.data["kind"] == "clock" else {
                        #expect(event.id == third.description)
                        continue
                    }
                    #expect((event.id ?? "").hasPrefix("\(third)."))
                    byClock.insert(event.data["account"]?.stringValue)
                }
            }
        }
    }

    @Test func whatIsSentToAStreamThatIsReadSlowlyIsComplete() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let port = try await service.server.start()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<1_500 {
                        let store = service.store
                        group.addTask { _ = try await append(number, store) }
                    }
                    try await group.waitForAll()
                }
                let client = try StreamClient(port: port, target: "/changes", key: service.key.text)
                _ = try await client.head()
                // Written while nothing is read; those accounts may come once or twice.
                for number in 0..<300 { _ = try await append(number * 5, service.store, day: 30) }
                var places: [FeedPosition] = []
                var accounts: Set<String> = []
                let end = try await service.store.feedEnd()
                while places.last.map({ $0 < end }) ?? true {
                    let event = try await client.event()
                    places.append(try #require(event.id.flatMap { FeedPosition($0) }))
                    accounts.insert(try #require(event.data["account"]?.stringValue))
                }
                #expect(accounts.count == 1_500)
                #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    @Test func aSilentStreamSaysAgainAndAgainThatItIsThere() async throws {
        struct Handler: HTTPHandler {
            let streams: ChangeStreams
            func reply(to request: HTTPRequest) -> HTTPReply { streams.reply(to: request) }
        }
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let clock = database.clock
                let keys = KeyRing(store: service.store, clock: { clock.now })
                let streams = ChangeStreams(
                    store: service.store,
                    doorkeeper: Doorkeeper(keys: keys, metrics: ServiceMetrics(), log: CallLog(log: .off, scopes: [:])),
                    heartbeat: .milliseconds(50)
                )
                let listener = try HTTPListener.start(HTTPServerConfiguration(), handler: Handler(streams: streams))
                let end = try await service.store.feedEnd()
                let client = try StreamClient(
                    port: Int(listener.port),
                    target: "/changes?after=\(end)",
                    key: service.key.text
                )
                _ = try await client.head()
                for _ in 0..<4 {
                    let sent = try await client.take(through: "\n\n")
                    #expect(sent == ":\n\n")
                }
                let head = try await append(1, service.store)
                let event = try await client.event()
                #expect(event.id == head.description)
                service.store.endWaiting()
                await listener.stop()
            }
        }
    }

    @Test func theEndOfTheServiceIsTheEndOfTheStream() async throws {
        try await FeedDatabase.with { database in
            let service = try await FeedService.make(database)
            let port = try await service.server.start()
            let client = try StreamClient(
                port: port,
                target: "/changes",
                key: service.key.text,
                version: "1.1"
            )
            _ = try await client.head()
            _ = try await client.take(through: ":\n\n")
            let start = ContinuousClock.now
            await service.server.stop()
            #expect(start.duration(to: .now) < .seconds(5))
            // The last chunk: the client knows that nothing was cut off.
            #expect(try await client.rest().hasSuffix("0\r\n\r\n"))
        }
    }

    @Test func aRevokedKeyEndsItsStreams() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let port = try await service.server.start()
                let client = try StreamClient(port: port, target: "/changes", key: service.key.text)
                _ = try await client.head()
                _ = try await client.take(through: ":\n\n")
                let (keyID, now) = (service.key.keyID, database.clock.now)
                #expect(try await database.owner { try $0.revokeKey(keyID, at: now) })
                try await service.server.prepare()
                _ = try await append(1, service.store)
                #expect(try await !client.rest().contains("event: change\nevent"))
            }
        }
    }

    @Test func aRewoundLogEndsTheStreamWithAWord() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let port = try await service.server.start()
                _ = try await append(1, service.store)
                let client = try StreamClient(port: port, target: "/changes", key: service.key.text)
                _ = try await client.head()
                _ = try await client.event()
                try await database.simulateFailOver()
                let head = try await append(2, database.makeStore())
                let event = try await client.event()
                #expect(event.name == "refused")
                #expect(event.data["reason"] == "positionNotReached")
                // Where the log is at that moment: the epoch may have been raised before the append.
                #expect(event.data["position"]?.stringValue.flatMap { LogPosition($0) }?.epoch == head.epoch)
                #expect(try await client.rest() == "")
            }
        }
    }

    @Test(arguments: [
        ("/changes?after=9:1", "GET", 409), ("/changes?after=x", "GET", 400), ("/changes?limit=1", "GET", 400),
        ("/changes?environment=Moon", "GET", 400), ("/changes", "POST", 405),
    ])
    func whatCannotBeStreamedIsRefused(target: String, method: String, status: Int) async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let response = try await service.send(target, method: HTTPMethod(method))
                #expect(response.status.code == status)
                #expect(try response.json["error"]?["reason"]?.stringValue?.isEmpty == false)
            }
        }
    }

    @Test func onlyAKeyWithTheScopeIsLetIn() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database, scopes: [.admin]) { service in
                let (none, other) = (try await service.send("/changes", key: ""), try await service.send("/changes"))
                #expect(none.status == .unauthorized)
                #expect(other.status == .forbidden)
            }
        }
    }
}
