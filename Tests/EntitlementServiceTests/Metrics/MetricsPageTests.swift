import EntitlementDomain
import Foundation
import HTTPServer
import JSON
import Testing

@testable import EntitlementService

@Suite struct MetricsPageTests {
    @Test func thePageTellsWhatHappened() async throws {
        let service = try await TestService.make()
        try await service.notify("00000000-0000-4000-8000-000000000001", Samples.transaction("1001"))
        try await service.notify("00000000-0000-4000-8000-000000000001", Samples.transaction("1001"))
        try await service.submit(Samples.transaction("1002", ["productId": "later \"monthly\"\n"]))
        let stranger = JSONValue.string(try Samples.signAsStranger(Samples.transaction("1003")))
        await #expect(throws: CallFailure.self) {
            try await service.call("transactions.submit", ["signedTransaction": stranger])
        }
        try await service.call("entitlements.get", ["account": .string(Samples.account)])
        _ = await service.respond(to: HTTPRequest(method: .get, target: "/no/such/path"))
        let forged: JSONValue = ["signedPayload": stranger]
        let refused = await service.respond(
            to: HTTPRequest(method: .post, target: "/appstore/notifications", body: forged.serialized())
        )
        #expect(refused.status == 400)

        let page = try ExpositionPage(try await service.metrics())
        #expect(page["entitled_notifications_total", ["outcome": "appended"]] == 1)
        #expect(page["entitled_notifications_total", ["outcome": "duplicate"]] == 1)
        #expect(page["entitled_notifications_total", ["outcome": "parked"]] == 0)
        let failures = "entitled_verification_failures_total"
        #expect(page[failures, ["source": "upload", "reason": "invalidChain"]] == 1)
        #expect(page[failures, ["source": "notification", "reason": "invalidChain"]] == 1)
        #expect(page[failures, ["source": "notification", "reason": "certificateExpired"]] == 0)
        #expect(page["entitled_unmapped_products_total", ["product": "later \"monthly\"\n"]] == 1)
        #expect(page["entitled_ingest_duration_seconds_count"] == 1)
        #expect(page["entitled_ingest_lag_seconds_count"] == 1)
        let rpc = "entitled_rpc_calls_total"
        #expect(page[rpc, ["method": "transactions.submit", "outcome": "result"]] == 1)
        #expect(page[rpc, ["method": "transactions.submit", "outcome": "invalidChain"]] == 1)
        #expect(page["entitled_rpc_duration_seconds_count", ["method": "transactions.submit"]] == 2)
        #expect(page["entitled_http_requests_total", ["path": "/appstore/notifications", "status": "400"]] == 1)
        #expect(page["entitled_http_requests_total", ["path": "(other)", "status": "404"]] == 1)
        // The catalog, two notifications of which one was known, and an upload.
        #expect(page["entitled_append_requests_total"] == 4)
        #expect(page["entitled_append_queue_requests"] == 0)
        #expect(page["entitled_log_position"] == 4)
        #expect(page["entitled_log_epoch"] == 1)
        #expect(page["entitled_quarantine_notifications"] == 0)
        #expect(page["entitled_database_up"] == 1)
        #expect(page["entitled_ready"] == 1)
        #expect(page["entitled_ready_check", ["check": "writer"]] == 1)
        #expect((page["entitled_pool_acquired_total"] ?? 0) > 0)
        let origin = ["bundle": "com.example.app", "environment": "Production"]
        let march = Double(Samples.date("2026-03-01T00:00:00Z").milliseconds) / 1_000
        #expect(page["entitled_last_notification_timestamp_seconds", origin] == march)
        #expect((page["process_resident_memory_bytes"] ?? 0) > 1e6)
        #expect((page["process_open_fds"] ?? 0) > 3)
        #expect(abs(Date().timeIntervalSince1970 - (page["process_start_time_seconds"] ?? 0)) < 86_400)
        #expect(page.types["entitled_build_info"] == "gauge")
        try await service.close()
    }

    @Test func aFullPageSaysTheTypeOfContentAndPassesPromtool() async throws {
        let service = try await TestService.make()
        try await service.notify("00000000-0000-4000-8000-000000000001", Samples.transaction("1001"))
        let response = await service.respond(to: HTTPRequest(method: .get, target: "/metrics"))
        let type = response.headers.first { $0.name == "Content-Type" }?.value
        #expect(type == "text/plain; version=0.0.4; charset=utf-8")
        try await service.close()
        guard case .bytes(let body) = response.body, let promtool = Promtool.path else { return }
        let result = try Promtool.run(promtool, ["check", "metrics"], input: body)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "")
    }
}
