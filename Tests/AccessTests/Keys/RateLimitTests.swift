import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import JSON
import Postgres
import Testing

/// The rate of a key, through the HTTP handler.
struct RateLimitTests {
    private static let question: JSONValue = ["account": .string(TestService.account)]

    private func reason(_ answer: JSONValue?) -> String? { answer?["error"]?["data"]?["reason"]?.stringValue }

    private func request(_ id: Int64, _ method: String = "entitlements.get") -> JSONValue {
        ["jsonrpc": "2.0", "id": .number(JSONNumber(id)), "method": .string(method), "params": Self.question]
    }

    @Test func beyondTheRateACallIsRefusedUntilTheTimeItIsTold() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read], callsPerSecond: 2)
            #expect(try await service.call("entitlements.get", Self.question, key: key)["result"] != nil)
            #expect(try await service.call("entitlements.get", Self.question, key: key)["result"] != nil)
            let refused = try await service.call("entitlements.get", Self.question, key: key)
            #expect(refused["error"]?["code"] == 3)
            let expected: JSONValue = ["reason": "rateLimited", "retryable": true, "retryAfterMs": 500]
            #expect(refused["error"]?["data"] == expected)
            service.clock.advance(.milliseconds(499))
            #expect(reason(try await service.call("entitlements.get", Self.question, key: key)) == "rateLimited")
            service.clock.advance(.milliseconds(1))
            #expect(try await service.call("entitlements.get", Self.question, key: key)["result"] != nil)
        }
    }

    @Test func eachCallOfABatchIsCharged() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read], callsPerSecond: 3)
            let notification: JSONValue = ["jsonrpc": "2.0", "method": "entitlements.get", "params": Self.question]
            let answers = try await service.post(
                [request(1), notification, request(2), request(3), request(4)],
                key: key
            )
            #expect(answers[0]?["result"] != nil)
            #expect(answers[1]?["result"] != nil)
            #expect(reason(answers[2]) == "rateLimited")
            #expect(answers[2]?["id"] == 3)
            #expect(reason(answers[3]) == "rateLimited")
            #expect(answers.arrayValue?.count == 4)
        }
    }

    @Test func refusedAndUnknownCallsAreChargedAsWell() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read], callsPerSecond: 2)
            #expect(reason(try await service.call("events.list", Self.question, key: key)) == "forbidden")
            #expect(try await service.call("no.such", [:], key: key)["error"]?["code"] == -32601)
            #expect(reason(try await service.call("rpc.discover", [:], key: key)) == "rateLimited")
        }
    }

    @Test func aKeyIsChargedForItsOwnCallsOnly() async throws {
        try await TestService.with { service in
            let slow = try await service.addKey([.read], callsPerSecond: 1)
            let other = try await service.addKey([.read], callsPerSecond: 1)
            #expect(try await service.call("entitlements.get", Self.question, key: slow)["result"] != nil)
            #expect(reason(try await service.call("entitlements.get", Self.question, key: slow)) == "rateLimited")
            #expect(try await service.call("entitlements.get", Self.question, key: other)["result"] != nil)
            // Without a rate there is no limit.
            for _ in 0..<20 { _ = try await service.result("entitlements.get", Self.question) }
        }
    }

    @Test func whatIsUsedUpOutlivesTheReadingOfTheKeys() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read], callsPerSecond: 1)
            #expect(try await service.call("entitlements.get", Self.question, key: key)["result"] != nil)
            try await service.server.prepare()
            #expect(reason(try await service.call("entitlements.get", Self.question, key: key)) == "rateLimited")
        }
    }

    @Test(arguments: [0, -1])
    func theDatabaseRefusesARateThatIsNone(rate: Int) async throws {
        try await TestService.with { service in
            let error = await #expect(throws: PostgresError.self) {
                _ = try await service.addKey([.read], callsPerSecond: rate)
            }
            #expect(error?.description.contains("api_keys_rate_limit_positive") == true, "\(String(describing: error))")
        }
    }
}
