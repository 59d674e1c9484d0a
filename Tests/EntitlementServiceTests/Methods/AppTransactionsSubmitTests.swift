import EventStore
import JSON
import Testing

@Suite struct AppTransactionsSubmitTests {
    private static let method = "appTransactions.submit"

    private func appTransaction(_ changes: [String: JSONValue?] = [:]) -> JSONObject {
        Samples.merge(
            [
                "receiptType": "Production", "appAppleId": 1_234_567_890, "bundleId": "com.example.app",
                "applicationVersion": "42", "originalApplicationVersion": "7",
                "originalPurchaseDate": Samples.milliseconds("2024-05-01T08:00:00Z"),
                "receiptCreationDate": Samples.milliseconds("2026-02-28T00:00:00Z"), "appTransactionId": "70001",
                "originalPlatform": "iOS",
            ],
            changes
        )
    }

    @Test(
        arguments: [
            BadParameters(method, .array(["a.b.c"]), names: nil),
            BadParameters(method, [:], names: "signedAppTransaction"),
            BadParameters(method, ["signedAppTransaction": nil], names: "signedAppTransaction"),
            BadParameters(method, ["signedAppTransaction": ""], names: "signedAppTransaction"),
            BadParameters(method, ["signedAppTransaction": 1], names: "signedAppTransaction"),
            BadParameters(
                method,
                ["signedAppTransaction": .string(String(repeating: "a", count: 256 * 1_024 + 1))],
                names: "signedAppTransaction"
            ),
            BadParameters(method, ["signedAppTransaction": "a.b.c", "account": "me"], names: "account"),
            BadParameters(
                method,
                ["signedAppTransaction": "a.b.c", "originalTransactionId": "1"],
                names: "originalTransactionId"
            ),
        ]
    )
    func badParametersAreNamed(_ bad: BadParameters) async throws {
        try await bad.check()
    }

    @Test func itTellsWhatTheCustomerFirstGot() async throws {
        let service = try await TestService.make()
        let text = try Samples.sign(appTransaction(["preorderDate": Samples.milliseconds("2024-04-01T00:00:00Z")]))
        let params: JSONValue = ["signedAppTransaction": .string(text), "account": .string(Samples.account)]
        let answer = try await service.call(Self.method, params)
        let position = answer["position"]
        #expect(
            answer == [
                "position": position ?? .null, "bundleId": "com.example.app", "environment": "Production",
                "originalApplicationVersion": "7", "originalPurchaseDate": "2024-05-01T08:00:00.000Z",
                "applicationVersion": "42", "appTransactionId": "70001", "originalPlatform": "iOS",
                "preorderDate": "2024-04-01T00:00:00.000Z",
            ]
        )
        // Once in the log, under the account, however often it comes.
        #expect(try await service.call(Self.method, params)["position"] == position)
        let events = try await service.call("events.list", ["account": .string(Samples.account)])["events"]
        #expect(events?.arrayValue?.map { $0["type"] } == ["Received"])
        #expect(events?[0]?["position"] == position)
        #expect(events?[0]?["source"] == "upload")
        #expect(events?[0]?["payload"]?["appTransaction"]?["originalApplicationVersion"] == "7")
        let entitlements = try await service.call("entitlements.get", ["account": .string(Samples.account)])
        #expect(entitlements["entitlements"] == [])
        try await service.close()
    }

    @Test func absentMembersAreNull() async throws {
        let service = try await TestService.make()
        let text = try Samples.sign(appTransaction(["originalPlatform": .some(nil), "appTransactionId": .some(nil)]))
        let answer = try await service.call(Self.method, ["signedAppTransaction": .string(text)])
        #expect(answer["originalPlatform"] == .null)
        #expect(answer["appTransactionId"] == .null)
        #expect(answer["preorderDate"] == .null)
        try await service.close()
    }

    @Test func whatIsNotOursIsRefused() async throws {
        let service = try await TestService.make()
        let head = try await service.store.position()
        let refused = [
            (try Samples.signAsStranger(appTransaction()), "invalidChain"),
            (try Samples.sign(appTransaction(["bundleId": "com.stranger.app"])), "wrongBundle"),
            (try Samples.sign(appTransaction(["appAppleId": 1])), "wrongBundle"),
            (try Samples.sign(appTransaction(["receiptType": "Xcode"])), "wrongEnvironment"),
            (try Samples.sign(appTransaction(["receiptType": .some(nil)])), "wrongEnvironment"),
            ("a.b.c", "malformedStatement"),
        ]
        for (text, reason) in refused {
            let failure = try await #require(throws: CallFailure.self) {
                try await service.call(Self.method, ["signedAppTransaction": .string(text)])
            }
            #expect(failure.reason == reason)
        }
        #expect(try await service.store.position() == head)
        try await service.close()
    }
}
