import EntitlementDomain
import EventStore
import Testing

@testable import EntitlementService

@Suite struct NotificationWatchTests {
    private static let name = "entitled_last_notification_timestamp_seconds"

    private static func watch(_ service: TestService, apps: [String] = ["com.example.app"]) -> NotificationWatch {
        NotificationWatch(apps: apps, policy: service.store.policy, store: service.store) {
            Samples.date("2026-03-02T00:00:00Z")
        }
    }

    private static func page(_ watch: NotificationWatch) throws -> ExpositionPage {
        var text = ""
        watch.family.write(to: &text)
        return try ExpositionPage(text)
    }

    @Test func whatWasDeliveredBeforeTheStartIsFound() async throws {
        let service = try await TestService.make()
        try await service.notify("00000000-0000-4000-8000-000000000001", Samples.transaction("1001"))
        service.setClock("2026-03-01T06:00:00Z")
        // An upload is no sign of life of the App Store.
        try await service.submit(Samples.transaction("1002"))
        let watch = Self.watch(service, apps: ["com.example.app", "com.example.other"])
        #expect(try Self.page(watch).values.isEmpty, "nothing is known yet, and nothing is claimed")
        try await watch.lookForward(to: service.store.position())
        try await watch.lookBack()
        let page = try Self.page(watch)
        let march = Double(Samples.date("2026-03-01T00:00:00Z").milliseconds) / 1_000
        #expect(page[Self.name, ["bundle": "com.example.app", "environment": "Production"]] == march)
        #expect(page[Self.name, ["bundle": "com.example.app", "environment": "Sandbox"]] == 0)
        #expect(page[Self.name, ["bundle": "com.example.other", "environment": "Production"]] == 0)
        try await service.close()
    }

    @Test func aRepetitionAndAnotherInstancesDeliveryCount() async throws {
        let service = try await TestService.make()
        let watch = Self.watch(service)
        try await watch.lookForward(to: service.store.position())
        try await service.notify("00000000-0000-4000-8000-000000000001", Samples.transaction("1001"))
        try await watch.lookForward(to: service.store.position())
        let labels = ["bundle": "com.example.app", "environment": "Production"]
        let march = Double(Samples.date("2026-03-01T00:00:00Z").milliseconds) / 1_000
        #expect(try Self.page(watch)[Self.name, labels] == march)
        service.setClock("2026-03-01T06:00:00Z")
        try await service.notify("00000000-0000-4000-8000-000000000001", Samples.transaction("1001"))
        let page = try ExpositionPage(try await service.metrics())
        #expect(page[Self.name, labels] == march + 6 * 3_600)
        // What other instances were sent is older than what was noted here, and does not take it back.
        watch.note(bundleID: "com.example.app", environment: .production, at: Samples.date("2026-02-01T00:00:00Z"))
        #expect(try Self.page(watch)[Self.name, labels] == march)
        try await service.close()
    }

    @Test func aLogThatAFailOverRewoundIsLookedThroughFromItsNewEnd() async throws {
        let service = try await TestService.make()
        let watch = Self.watch(service)
        try await watch.lookForward(to: LogPosition(epoch: 1, number: 1_000))
        try await service.notify("00000000-0000-4000-8000-000000000001", Samples.transaction("1001"))
        let head = try await service.store.position()
        try await watch.lookForward(to: LogPosition(epoch: 2, number: head.number - 1))
        try await watch.lookForward(to: head)
        #expect(try Self.page(watch).values.count == 1)
        try await service.close()
    }
}
