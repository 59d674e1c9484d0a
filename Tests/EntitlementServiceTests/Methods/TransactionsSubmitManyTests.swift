import EntitlementDomain
import EventStore
import JSON
import Testing

@Suite struct TransactionsSubmitManyTests {
    private static let method = "transactions.submitMany"

    private static func bad(_ items: JSONValue, names parameter: String?) -> BadParameters {
        BadParameters(method, ["transactions": items], names: parameter)
    }

    @Test(
        arguments: [
            BadParameters(method, .array([]), names: nil),
            BadParameters(method, [:], names: "transactions"),
            BadParameters(method, ["transactions": [], "account": "x"], names: "account"),
            bad([], names: "transactions"),
            bad(nil, names: "transactions"),
            bad("a.b.c", names: "transactions"),
            bad(.array(Array(repeating: ["signedTransaction": "a.b.c"], count: 501)), names: "transactions"),
            bad(["a.b.c"], names: "transactions[0]"),
            bad([["signedTransaction": "a.b.c"], [:]], names: "transactions[1].signedTransaction"),
            bad([["signedTransaction": 7]], names: "transactions[0].signedTransaction"),
            bad([["signedTransaction": ""]], names: "transactions[0].signedTransaction"),
            bad([["signedTransaction": "a.b.c", "account": "me"]], names: "transactions[0].account"),
            bad([["signedTransaction": "a.b.c", "signedRenewalInfo": 1]], names: "transactions[0].signedRenewalInfo"),
            bad([["signedTransaction": "a.b.c", "environment": "Sandbox"]], names: "transactions[0].environment"),
        ]
    )
    func badParametersAreNamed(_ bad: BadParameters) async throws {
        try await bad.check()
    }

    @Test func eachTransactionHasItsOwnOutcome() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1009"), account: Samples.otherAccount)
        let account = JSONValue.string(Samples.account)
        let first = try Samples.sign(Samples.transaction("1001"))
        let renewed = Samples.transaction("1002", ["originalTransactionId": "1001", "environment": "Sandbox"])
        let renewal = Samples.renewalInfo("1001", ["environment": "Sandbox"])
        let items: JSONValue = [
            ["signedTransaction": .string(first), "account": account],
            ["signedTransaction": .string(first), "account": account],
            [
                "signedTransaction": .string(try Samples.sign(renewed)),
                "signedRenewalInfo": .string(try Samples.sign(renewal)),
            ],
            ["signedTransaction": .string(try Samples.sign(Samples.transaction("1009"))), "account": account],
            ["signedTransaction": .string(try Samples.signAsStranger(Samples.transaction("1003")))],
            ["signedTransaction": "a.b.c"],
            [
                "signedTransaction": .string(
                    try Samples.sign(Samples.transaction("1004", ["bundleId": "com.stranger.app"]))
                )
            ],
        ]
        let answer = try await service.call(Self.method, ["transactions": items])
        let results = try #require(answer["results"]?.arrayValue)
        let accepted: JSONValue = [
            "ok": true, "originalTransactionId": "1001", "transactionId": "1001", "environment": "Production",
        ]
        #expect(results[0] == accepted)
        #expect(results[1] == accepted)
        #expect(
            results[2] == [
                "ok": true, "originalTransactionId": "1001", "transactionId": "1002", "environment": "Sandbox",
            ]
        )
        #expect(results[3...].map { $0["ok"] } == Array(repeating: false, count: 4))
        #expect(
            results[3...].map { $0["error"]?["data"]?["reason"]?.stringValue }
                == ["ownershipConflict", "invalidChain", "malformedStatement", "wrongBundle"]
        )
        #expect(results[3]["error"]?["code"] == 20)
        #expect(results[3]["error"]?["data"]?["retryable"] == false)
        let text = String(decoding: answer.serialized(), as: UTF8.self)
        #expect(!text.contains(Samples.otherAccount))

        // Read your writes by the position that came back.
        let position = try #require(answer["position"])
        let entry = try await service.call(
            "entitlements.check",
            ["account": account, "entitlement": "pro", "minPosition": position]
        )
        #expect(entry["active"] == true)
        // Of the line 1001 one purchase and one link: the second copy had no effect of its own.
        let events = try await service.call("events.list", ["originalTransactionId": "1001"])
        #expect(events["events"]?.arrayValue?.map { $0["type"] } == ["Purchased", "AccountLinked"])
        try await service.close()
    }

    @Test func manyShareAFewCommits() async throws {
        let service = try await TestService.make()
        let items = try (0..<500).map { number in
            JSONValue.object([
                "signedTransaction": .string(try Samples.sign(Samples.coins(String(5_000 + number)))),
                "account": .string(Samples.account),
            ])
        }
        let answer = try await service.call(Self.method, ["transactions": .array(items)])
        // Rows that one transaction has written have one xmin.
        let commits = try await service.count("SELECT count(DISTINCT xmin::text) FROM entitled.events")
        #expect(answer["results"]?.arrayValue?.allSatisfy { $0["ok"] == true } == true)
        let balances = try await service.call("balances.get", ["account": .string(Samples.account)])
        #expect(balances["balances"] == ["coins": 50_000])
        #expect(commits < 100, "500 transactions took \(commits) commits")
        try await service.close()
    }

    @Test func nothingAcceptedStillNamesThePosition() async throws {
        let service = try await TestService.shared.value
        let answer = try await service.call(Self.method, ["transactions": [["signedTransaction": "a.b.c"]]])
        let head = try await service.store.position().description
        #expect(answer["position"] == .string(head))
    }
}
