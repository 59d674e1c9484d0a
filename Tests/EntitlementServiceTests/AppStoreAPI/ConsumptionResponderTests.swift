import AppStore
import EntitlementDomain
import EntitlementService
import JSON
import Simulator
import Testing

struct ConsumptionResponderTests {
    private func ask(_ desk: HealingDesk) async throws -> String {
        let id = try desk.fake.buy(FakeProduct("coins.100", .consumable), account: HealingDesk.account)
        try desk.fake.requestConsumption(id)
        try await desk.fake.deliverDue()
        #expect(desk.fake.notifications().last?.results == ["SUCCESS"])
        return id
    }

    @Test func aRequestIsAnsweredAsConfigured() async throws {
        let desk = try await HealingDesk.make {
            $0?.consumption = ConsumptionAnswer(
                deliveryStatus: .delivered,
                sampleContentProvided: true,
                refundPreference: .decline
            )
        }
        let id = try await ask(desk)
        let deadline = ContinuousClock.now + .seconds(10)
        while desk.fake.consumption(of: id) == nil, ContinuousClock.now < deadline { await Task.yield() }
        #expect(
            desk.fake.consumption(of: id) == [
                "customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": true,
                "refundPreference": "DECLINE",
            ]
        )
        try await desk.close()
    }

    @Test func aRequestThatReconciliationFindsIsAnsweredToo() async throws {
        let desk = try await HealingDesk.make {
            $0?.consumption = ConsumptionAnswer(deliveryStatus: .delivered, sampleContentProvided: false)
        }
        desk.setUp(false)
        let id = try desk.fake.buy(FakeProduct("coins.100", .consumable), account: HealingDesk.account)
        try desk.fake.requestConsumption(id)
        try await desk.fake.deliverDue()
        _ = try await desk.reconcile()
        let deadline = ContinuousClock.now + .seconds(10)
        while desk.fake.consumption(of: id) == nil, ContinuousClock.now < deadline { await Task.yield() }
        #expect(desk.fake.consumption(of: id)?["deliveryStatus"] == "DELIVERED")
        try await desk.close()
    }

    @Test func withoutAConfigurationNothingIsSent() async throws {
        let desk = try await HealingDesk.make()
        let id = try await ask(desk)
        // The next call comes after whatever the notification would have caused.
        _ = try await desk.call("purchases.restore", ["originalTransactionId": .string(id)])
        #expect(desk.fake.consumption(of: id) == nil)
        try await desk.close()
    }
}
