import JSON
import Testing

@Suite struct EntitlementsGetManyTests {
    private static let method = "entitlements.getMany"
    private static let good: JSONObject = ["accounts": [.string(Samples.account)]]

    @Test(
        arguments: [
            BadParameters(method, .array([.array([.string(Samples.account)])]), names: nil),
            BadParameters(method, [:], names: "accounts"),
            BadParameters(method, ["accounts": nil], names: "accounts"),
            BadParameters(method, ["accounts": []], names: "accounts"),
            BadParameters(method, ["accounts": .string(Samples.account)], names: "accounts"),
            BadParameters(
                method,
                ["accounts": .array(Array(repeating: .string(Samples.account), count: 1_001))],
                names: "accounts"
            ),
            BadParameters(method, ["accounts": [.string(Samples.account), "me"]], names: "accounts[1]"),
            BadParameters(method, ["accounts": [nil]], names: "accounts[0]"),
            BadParameters(method, ["accounts": [7]], names: "accounts[0]"),
            BadParameters(
                method,
                .object(Samples.merge(good, ["account": .string(Samples.account)])),
                names: "account"
            ),
        ] + BadParameters.ofReading(method, base: good) + BadParameters.ofTime(method, "at", base: good)
    )
    func badParametersAreNamed(_ bad: BadParameters) async throws {
        try await bad.check()
    }

    @Test func resultsComeInTheOrderAskedFromOnePosition() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1001"))
        try await service.submit(Samples.coins("2001"), account: Samples.otherAccount)
        try await service.submit(Samples.transaction("1002", ["productId": "pro.lifetime", "type": "Non-Consumable"]))
        let stranger = "33333333-3333-4333-8333-333333333333"
        let asked = [Samples.otherAccount, stranger, Samples.account.uppercased(), Samples.otherAccount]
        let answer = try await service.call(
            Self.method,
            ["accounts": .array(asked.map { .string($0) }), "at": "2026-03-15T00:00:00Z"]
        )
        let results = try #require(answer["results"]?.arrayValue)
        #expect(results.map { $0["account"]?.stringValue } == asked.map { $0.lowercased() })
        #expect(results[0] == results[3])
        #expect(results[0]["balances"] == ["coins": 100])
        #expect(results[0]["entitlements"] == [])
        #expect(results[1] == ["account": .string(stranger), "entitlements": [], "balances": [:], "nextChangeAt": nil])
        #expect(answer["at"] == "2026-03-15T00:00:00.000Z")

        // What it says of one account is what entitlements.get says.
        let one = try await service.call(
            "entitlements.get",
            ["account": .string(Samples.account), "at": "2026-03-15T00:00:00Z"]
        )
        #expect(results[2]["entitlements"] == one["entitlements"])
        #expect(results[2]["entitlements"]?[0]?["sources"]?.arrayValue?.count == 2)
        #expect(results[2]["nextChangeAt"] == one["nextChangeAt"])
        #expect(answer["position"] == one["position"])
        try await service.close()
    }

    @Test func aThousandAccountsAreAnsweredAtOnce() async throws {
        let service = try await TestService.shared.value
        let accounts = (0..<1_000).map { number in
            JSONValue.string("44444444-4444-4444-8444-" + String(repeating: "0", count: 8) + String(1_000 + number))
        }
        let answer = try await service.call(Self.method, ["accounts": .array(accounts)])
        #expect(answer["results"]?.arrayValue?.count == 1_000)
        #expect(answer["results"]?[999]?["account"] == accounts[999])
    }

    @Test func aPositionThatIsNotReachedIsRefused() async throws {
        let service = try await TestService.shared.value
        let failure = try await #require(throws: CallFailure.self) {
            try await service.call(
                Self.method,
                .object(Samples.merge(Self.good, ["minPosition": "1:1000000", "waitMs": 10]))
            )
        }
        #expect(failure.reason == "positionNotReached")
    }
}
