import EntitlementDomain
import EntitlementService
import EventStore
import JSON
import Simulator
import Testing

struct SetAppAccountTokenTests {
    private let other = AccountID(high: 0x2222_2222_2222_4222, low: 0x8222_2222_2222_2222)

    @Test func theTokenIsSetAndTheLineTransferred() async throws {
        let desk = try await HealingDesk.make()
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.deliverDue()
        let params: JSONValue = [
            "originalTransactionId": .string(line), "account": .string(other.description), "reason": "asked for it",
            "idempotencyKey": "k1",
        ]
        let first = try await desk.call("accounts.setAppAccountToken", params)
        #expect(first["repetition"] == false)
        #expect(desk.fake.lines().first?.account == other)
        #expect(try await desk.differences() == [])
        #expect(try await desk.call("accounts.setAppAccountToken", params)["repetition"] == true)
        try await desk.close()
    }

    @Test func whereTheAppStoreRefusesNothingChanges() async throws {
        let desk = try await HealingDesk.make()
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: nil, isFamilyShared: true)
        try await desk.fake.deliverDue()
        let position = try await desk.server.store.position()
        let params: JSONValue = ["originalTransactionId": .string(line), "account": .string(other.description)]
        #expect(try await desk.reason("accounts.setAppAccountToken", params) == "upstreamRejected")
        #expect(try await desk.server.store.position() == position)
        try await desk.close()
    }

    @Test func aLineThatIsNotHereIsNotGivenAway() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        let params: JSONValue = ["originalTransactionId": .string(line), "account": .string(other.description)]
        #expect(try await desk.reason("accounts.setAppAccountToken", params) == "notFound")
        #expect(desk.fake.lines().first?.account == HealingDesk.account)
        try await desk.close()
    }
}
