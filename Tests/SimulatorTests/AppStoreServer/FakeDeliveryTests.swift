import AppStore
import EntitlementDomain
import JSON
import Simulator
import Synchronization
import Testing
import X509

/// How a fake App Store delivers notifications.
struct FakeDeliveryTests {
    /// Answers with a status that can be changed, and remembers what was sent.
    private final class Receiver: ServerAPITransport {
        let status: Mutex<Int>
        let bodies = Mutex<[[UInt8]]>([])

        init(_ status: Int) {
            self.status = Mutex(status)
        }

        func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply {
            bodies.withLock { $0.append(call.body ?? []) }
            let status = status.withLock { $0 }
            guard status > 0 else { throw .unreachable("nobody there") }
            return ServerAPIReply(status: status)
        }
    }

    private static let start = Instant(iso8601: "2026-03-01T00:00:00Z") ?? .distantPast
    private static let hour: Int64 = 3_600_000

    private func store(_ receiver: Receiver, in environment: StoreEnvironment = .production) throws -> FakeAppStore {
        let chain = try ThrowawayChain.make(validity: ScenarioSigning.validity)
        let store = FakeAppStore(
            FakeAppStore.Configuration(
                credentials: try FakeCredentials.make(),
                signer: chain.signer,
                startsAt: Self.start
            ),
            transport: receiver
        )
        store.setNotificationURL("http://service.test/", in: environment)
        return store
    }

    private func hours(_ notification: FakeAppStore.NotificationTruth) -> [Int64] {
        notification.attemptedAt.map { ($0.milliseconds - Self.start.milliseconds) / Self.hour }
    }

    @Test func aFailedNotificationIsRepeatedOneTwelveTwentyFourFortyEightAndSeventyTwoHoursLater() async throws {
        let receiver = Receiver(503)
        let store = try store(receiver)
        try store.buy(FakeProduct("lifetime", .nonConsumable), account: nil)
        try await store.advance(hours: 24 * 20)
        let notification = try #require(store.notifications().first)
        #expect(hours(notification) == [0, 1, 13, 37, 85, 157])
        #expect(Set(notification.results) == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE"])
        #expect(Set(receiver.bodies.withLock { $0 }).count == 1, "each try sends the same text")
    }

    @Test func theSandboxTriesOnce() async throws {
        let store = try store(Receiver(0), in: .sandbox)
        try store.buy(FakeProduct("lifetime", .nonConsumable), account: nil, in: .sandbox)
        try await store.advance(hours: 24 * 20)
        #expect(store.notifications(in: .sandbox).map(\.results) == [["NO_RESPONSE"]])
    }

    @Test(arguments: [200, 202, 206])
    func theseStatusesCountAsReceived(status: Int) async throws {
        let store = try store(Receiver(status))
        try store.buy(FakeProduct("lifetime", .nonConsumable), account: nil)
        try await store.advance(hours: 24 * 20)
        #expect(store.notifications().map(\.results) == [["SUCCESS"]])
    }

    @Test(arguments: [207, 301, 400, 404, 500])
    func allOthersAreRepeated(status: Int) async throws {
        let store = try store(Receiver(status))
        try store.buy(FakeProduct("lifetime", .nonConsumable), account: nil)
        try await store.advance(hours: 1)
        #expect(store.notifications().first?.results.count == 2)
    }

    @Test func aServiceThatComesBackGetsWhatItMissed() async throws {
        let receiver = Receiver(0)
        let store = try store(receiver)
        try store.buy(FakeProduct("lifetime", .nonConsumable), account: nil)
        try await store.advance(hours: 2)
        receiver.status.withLock { $0 = 200 }
        try await store.advance(hours: 24)
        #expect(store.notifications().first?.results == ["NO_RESPONSE", "NO_RESPONSE", "SUCCESS"])
    }

    @Test func renewalsHappenAtTheirTimeAndAreToldInTheirOrder() async throws {
        let store = try store(Receiver(200))
        let line = try store.buy(.monthly("pro.monthly"), account: nil)
        try await store.advance(hours: 24 * 32)
        try store.setCard(declined: true, of: line)
        try await store.advance(hours: 24 * 100)
        #expect(
            store.notifications().map { [$0.type, $0.subtype ?? ""].joined(separator: " ") } == [
                "SUBSCRIBED INITIAL_BUY", "DID_RENEW ", "DID_FAIL_TO_RENEW GRACE_PERIOD", "GRACE_PERIOD_EXPIRED ",
                "EXPIRED BILLING_RETRY",
            ]
        )
        let renewal = store.notifications()[1].signedAt
        #expect(renewal == Instant(iso8601: "2026-04-01T00:00:00Z"))
    }
}
