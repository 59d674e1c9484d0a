import EntitlementDomain
import EntitlementService
import JSON
import Simulator
import Testing

struct PurchasesRestoreTests {
    @Test func aLineNobodyHasHeardOfIsRestored() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.advance(hours: 3 * 31 * 24)
        let result = try await desk.call("purchases.restore", ["originalTransactionId": .string(line)])
        #expect(result["refused"] == 0)
        #expect(result["appended"]?.int64Value == result["fetched"]?.int64Value)
        #expect(result["snapshot"]?["entitlements"]?[0]?["active"] == true)
        #expect(try await desk.differences() == [])
        #expect(try await desk.duplicates() == 0)
        #expect(
            try await desk.count("SELECT count(*) FROM entitled.events WHERE source <> 'api' AND line_id IS NOT NULL")
                == 0
        )
        try await desk.close()
    }

    @Test func theSandboxIsFoundWithoutAHint() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account, in: .sandbox)
        let result = try await desk.call("purchases.restore", ["originalTransactionId": .string(line)])
        #expect(result["snapshot"]?["environment"] == "Sandbox")
        #expect(try await desk.differences(in: .sandbox) == [])
        try await desk.close()
    }

    @Test func consumablesAndRefundsComeWithTheHistory() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        for _ in 0..<25 {
            try desk.fake.buy(FakeProduct("coins.100", .consumable), account: HealingDesk.account, customerOf: line)
        }
        try desk.fake.refund(line)
        let result = try await desk.call("purchases.restore", ["originalTransactionId": .string(line)])
        #expect(result["appended"] == 27, "25 consumables, the period, and its renewal info")
        let answer = try await desk.call("entitlements.get", ["account": .string(HealingDesk.account.description)])
        #expect(answer["balances"]?["coins"] == 2_500)
        #expect(try await desk.differences() == [])
        try await desk.close()
    }

    @Test func whatTheAppStoreDoesNotKnowIsNotFound() async throws {
        let desk = try await HealingDesk.make()
        #expect(try await desk.reason("purchases.restore", ["originalTransactionId": "1"]) == "notFound")
        try await desk.close()
    }

    @Test func withoutCredentialsTheAnswerSaysSo() async throws {
        let desk = try await HealingDesk.make { $0 = nil }
        #expect(desk.server.reconciler == nil)
        let params: JSONValue = ["originalTransactionId": "1"]
        #expect(try await desk.reason("purchases.restore", params) == "upstreamUnavailable")
        let set: JSONValue = [
            "originalTransactionId": "1", "account": .string(HealingDesk.account.description),
        ]
        #expect(try await desk.reason("accounts.setAppAccountToken", set) == "upstreamUnavailable")
        try await desk.close()
    }

    @Test(arguments: [
        (InjectedFault.Effect.status(503), "upstreamUnavailable"),
        (.rateLimit(milliseconds: 3_600_000), "upstreamUnavailable"),
        (.code(4_040_003), "upstreamRejected"), (.unauthorized, "upstreamRejected"), (.garbage, "upstreamRejected"),
    ])
    func troubleOfTheAppStoreHasAReason(effect: InjectedFault.Effect, reason: String) async throws {
        let desk = try await HealingDesk.make()
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        desk.fake.inject(InjectedFault(effect, times: nil))
        #expect(try await desk.reason("purchases.restore", ["originalTransactionId": .string(line)]) == reason)
        try await desk.close()
    }

    @Test func anAppWithoutCredentialsIsSaidToBe() async throws {
        let desk = try await HealingDesk.make()
        let params: JSONValue = ["originalTransactionId": "1", "bundleId": "com.example.other"]
        #expect(try await desk.reason("purchases.restore", params) == "wrongBundle")
        try await desk.close()
    }
}
