import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import HTTPServer
import JSON
import Testing

/// `GET /accounts/{uuid}/entitlements`: entitlements that caches may keep, and for how long.
@Suite(.timeLimit(.minutes(2))) struct EntitlementsDoorTests {
    private let account = Sample.account(1)
    private var path: String { "/accounts/\(account)/entitlements" }

    /// Lends a service whose account has a month from day 0.
    private func withService(_ body: (FeedService, FeedDatabase) async throws -> Void) async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                _ = try await service.store.append(Sample.statement(Sample.month("a", for: account), name: "1"))
                try await body(service, database)
            }
        }
    }

    @Test func theBodyIsTheAnswerOfTheMethod() async throws {
        try await withService { service, database in
            database.clock.now = Sample.day(3)
            let response = try await service.send(path)
            #expect(response.status == .ok)
            #expect(response.field("content-type") == "application/json")
            #expect(response.field("vary") == "Authorization")
            let result = try await service.call("entitlements.get", ["account": .string(account.description)])["result"]
            let body = try response.json
            #expect(body["entitlements"]?[0]?["active"] == true)
            for name in ["account", "environment", "entitlements", "balances", "nextChangeAt"] {
                #expect(body[name] == result?[name], "\(name)")
            }
            #expect(response.field("entitled-position") == result?["position"]?.stringValue)
            #expect(body["at"] == nil && body["position"] == nil)
            #expect(try await service.send(path, method: .head).status == .ok)
        }
    }

    @Test func theSameEntitlementsHaveTheSameTagAndTheSameBytes() async throws {
        try await withService { service, database in
            database.clock.now = Sample.day(3)
            let first = try await service.send(path)
            let tag = try #require(first.field("etag"))
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count > 16)
            // Time passes and the log grows; nothing changes for this account.
            database.clock.now = Sample.day(4)
            _ = try await service.store.append(Sample.statement(Sample.month("b", for: Sample.account(2)), name: "2"))
            let second = try await service.send(path)
            #expect(second.field("etag") == tag)
            #expect(second.bytes == first.bytes)
            #expect(second.field("entitled-position") != first.field("entitled-position"))
            for known in [tag, "\"other\", \(tag)", "W/\(tag)", "*", " \(tag) ,\"x\""] {
                let unchanged = try await service.send(path, headers: [HTTPField("If-None-Match", known)])
                #expect(unchanged.status.code == 304, "\(known)")
                #expect(unchanged.field("etag") == tag)
                #expect(unchanged.field("cache-control") == "private, max-age=60")
                #expect(unchanged.field("vary") == "Authorization")
            }
            let other = try await service.send(path, headers: [HTTPField("If-None-Match", "\"other\"")])
            #expect(other.status == .ok)
        }
    }

    @Test func anAnswerThatHasNotChangedIsNotSent() async throws {
        try await withService { service, _ in
            let port = try await service.server.start()
            let response = try await service.send(path)
            let client = try StreamClient(
                port: port,
                target: path,
                key: service.key.text,
                headers: ["If-None-Match: \(response.field("etag") ?? "")", "Connection: close"],
                version: "1.1"
            )
            let answer = try await client.rest()
            #expect(answer.contains(" 304 "))
            // RFC 9110 section 8.6: the length that the body would have, or none.
            #expect(answer.contains("Content-Length: \(response.bytes.count)\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func anEventAndTheClockChangeTheTag() async throws {
        try await withService { service, database in
            database.clock.now = Sample.day(3)
            let bought = try await service.send(path).field("etag")
            let refund = Sample.month("a", for: account, signedAt: Sample.day(3), revokedAt: Sample.day(3))
            _ = try await service.store.append(Sample.statement(refund, name: "refund"))
            let refunded = try await service.send(path).field("etag")
            #expect(refunded != bought)
            _ = try await service.store.append(
                Sample.statement(Sample.month("a", from: 4, for: account), name: "again")
            )
            database.clock.now = Sample.day(34).advanced(byMilliseconds: -1)
            let last = try await service.send(path)
            database.clock.now = Sample.day(34)
            let expired = try await service.send(path, headers: [HTTPField("If-None-Match", last.field("etag") ?? "")])
            #expect(expired.status == .ok)
            #expect(try expired.json["entitlements"]?[0]?["active"] == false)
        }
    }

    @Test(arguments: [
        (60_000 + 30_500, 60), (60_000, 60), (59_999, 59), (30_500, 30), (1_000, 1), (999, 0), (1, 0), (0, 60),
        (-5_000, 60),
    ])
    func noCacheKeepsAnAnswerPastTheNextChange(millisecondsBeforeTheEnd: Int64, seconds: Int) async throws {
        try await withService { service, database in
            database.clock.now = Sample.day(30).advanced(byMilliseconds: -millisecondsBeforeTheEnd)
            let response = try await service.send(path)
            #expect(response.field("cache-control") == "private, max-age=\(seconds)")
        }
    }

    @Test func anAnswerForAnotherInstantIsNotKept() async throws {
        try await withService { service, database in
            database.clock.now = Sample.day(3)
            let later = try await service.send("\(path)?at=\(Sample.day(31).iso8601)")
            #expect(later.field("cache-control") == "private, no-store")
            #expect(try later.json["entitlements"]?[0]?["active"] == false)
            let sameAsNumber = try await service.send("\(path)?at=\(Sample.day(31).milliseconds)")
            #expect(sameAsNumber.bytes == later.bytes)
            let sandbox = try await service.send("\(path)?environment=Sandbox")
            #expect(try sandbox.json["entitlements"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test func aPositionCanBeDemanded() async throws {
        try await withService { service, _ in
            let position = try #require(try await service.send(path).field("entitled-position"))
            #expect(try await service.send("\(path)?minPosition=\(position)").status == .ok)
            let response = try await service.send("\(path)?minPosition=1:1000&waitMs=1")
            #expect(response.status.code == 409)
            let problem = try response.json["error"]
            #expect(problem?["reason"] == "positionNotReached")
            #expect(problem?["position"]?.stringValue == position)
        }
    }

    @Test func onlyAKeyWithTheScopeIsLetIn() async throws {
        try await withService { service, _ in
            for key in ["", "nonsense", "ent_0_0"] {
                let response = try await service.send(path, key: key)
                #expect(response.status == .unauthorized)
                #expect(response.field("www-authenticate") == "Bearer")
                #expect(try response.json["error"]?["reason"] == "unauthorized")
            }
            let other = try await service.makeKey([.submit, .audit])
            let response = try await service.send(path, key: other.text)
            #expect(response.status == .forbidden)
            #expect(try response.json["error"]?["reason"] == "forbidden")
        }
    }

    @Test(arguments: [
        ("/accounts/not-a-uuid/entitlements", 400), ("/accounts/11111111-1111-4111-8111-11111111111/entitlements", 400),
        ("/accounts//entitlements", 404), ("/accounts/entitlements", 404), ("/accounts", 404),
        ("/accounts/\(Sample.account(1))", 404), ("/accounts/\(Sample.account(1))/entitlements/", 404),
        ("/accounts/\(Sample.account(1))/other", 404), ("/accounts/\(Sample.account(1))/entitlements?at=x", 400),
        ("/accounts/\(Sample.account(1))/entitlements?environment=Moon", 400),
        ("/accounts/\(Sample.account(1))/entitlements?unknown=1", 400),
        ("/accounts/\(Sample.account(1))/entitlements?account=x", 400),
        ("/accounts/\(Sample.account(9))/entitlements", 200),
    ])
    func otherPathsAndQueries(target: String, status: Int) async throws {
        try await withService { service, _ in
            let response = try await service.send(target)
            #expect(response.status.code == status)
            if status != 200 { #expect(try response.json["error"]?["message"]?.stringValue?.isEmpty == false) }
        }
    }

    @Test func otherMethodsAreRefused() async throws {
        try await withService { service, _ in
            let response = try await service.send(path, method: .post)
            #expect(response.status == .methodNotAllowed)
            #expect(response.field("allow") == "GET, HEAD")
        }
    }
}
