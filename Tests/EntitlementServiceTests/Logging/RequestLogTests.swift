import EntitlementDomain
import HTTPServer
import JSON
import Synchronization
import Testing

@testable import EntitlementService

@Suite struct RequestLogTests {
    /// A log that a test can read.
    final class Lines: Sendable {
        private let bytes = Mutex<[UInt8]>([])
        private let sink = Mutex<LogSink?>(nil)

        func log(_ level: LogLevel = .info) -> ServiceLog {
            let new = LogSink { [self] lines in bytes.withLock { $0 += lines } }
            sink.withLock { $0 = new }
            return ServiceLog(level: level, format: .json, sink: new) { Samples.date("2026-03-01T00:00:00Z") }
        }

        func all() async throws -> [JSONValue] {
            await sink.withLock { $0 }?.flush(within: .seconds(10))
            let text = bytes.withLock { String(decoding: $0, as: UTF8.self) }
            return try text.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)) }
        }
    }

    private static func id(_ response: HTTPResponse) -> String? {
        response.headers.first { $0.name == "X-Request-Id" }?.value
    }

    private static func call(
        _ service: TestService,
        _ method: String,
        _ params: JSONValue,
        id: String? = nil
    ) async -> HTTPResponse {
        let body: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        var headers = [HTTPField("Authorization", "Bearer \(service.key.text)")]
        if let id { headers.append(HTTPField("x-request-id", id)) }
        let request = HTTPRequest(method: .post, target: "/rpc", headers: headers, body: body.serialized())
        return await service.respond(to: request)
    }

    @Test func aNotificationIsFollowedFromItsResponseToItsEvent() async throws {
        let lines = Lines()
        let service = try await TestService.make(log: lines.log())
        let uuid = "00000000-0000-4000-8000-000000000001"
        let response = try await service.notify(uuid, Samples.transaction("1001"))
        let id = try #require(Self.id(response))
        let line = try #require(try await lines.all().last { $0["requestId"] == .string(id) })
        #expect(line["message"] == "notification")
        #expect(line["level"] == "info")
        #expect(line["outcome"] == "appended")
        #expect(line["status"] == 200)
        #expect(line["notificationUUID"] == .string(uuid))
        #expect(line["type"] == "SUBSCRIBED")
        let event = try #require(line["events"]?[0])
        let page = try await service.call("events.list", ["originalTransactionId": "1001"])
        #expect(event["position"] == page["events"]?[0]?["position"])
        #expect(event["eventId"] == page["events"]?[0]?["eventId"])
        #expect(event["eventId"] != nil)
        try await service.close()
    }

    @Test func theIdOfACallerIsKeptWhenItIsSane() async throws {
        let lines = Lines()
        let service = try await TestService.make(log: lines.log())
        let grant: JSONValue = [
            "account": .string(Samples.account), "entitlement": "pro", "reason": "test", "idempotencyKey": "1",
        ]
        let response = await Self.call(service, "grants.issue", grant, id: "shop-4711.a_b")
        #expect(Self.id(response) == "shop-4711.a_b")
        let line = try #require(try await lines.all().last)
        #expect(line["requestId"] == "shop-4711.a_b")
        #expect(line["method"] == "grants.issue", "\(line)")
        #expect(line["events"]?[0]?["position"] != nil, "\(line)")
        for id in ["", "a b", "a\u{e4}", String(repeating: "a", count: 65), "a\"b"] {
            let other = try #require(Self.id(await Self.call(service, "catalog.get", [:], id: id)))
            #expect(other != id && !other.isEmpty)
        }
        try await service.close()
    }

    @Test func everyCallOfABatchHasItsOwnLineAndEvents() async throws {
        let lines = Lines()
        let service = try await TestService.make(log: lines.log())
        let calls = (1...3).map { (number: Int64) -> JSONValue in
            [
                "jsonrpc": "2.0", "id": JSONValue(number), "method": "grants.issue",
                "params": [
                    "account": .string(Samples.account), "entitlement": "pro", "reason": "test",
                    "idempotencyKey": .string("\(number)"),
                ],
            ]
        }
        let response = await service.respond(
            to: HTTPRequest(
                method: .post,
                target: "/rpc",
                headers: [HTTPField("Authorization", "Bearer \(service.key.text)")],
                body: JSONValue.array(calls).serialized()
            )
        )
        let id = try #require(Self.id(response))
        let positions = try await lines.all().filter { $0["requestId"] == .string(id) }.map { line in
            line["events"]?.arrayValue?.compactMap { $0["position"]?.stringValue } ?? []
        }
        #expect(positions == [["1:2"], ["1:3"], ["1:4"]])
        try await service.close()
    }

    @Test func lookUpsAndStrangersHaveNoLineUnlessEverythingIsWanted() async throws {
        let (quiet, loud) = (Lines(), Lines())
        for (lines, level) in [(quiet, LogLevel.info), (loud, .debug)] {
            let service = try await TestService.make(catalog: nil, log: lines.log(level))
            _ = await Self.call(service, "entitlements.get", ["account": .string(Samples.account)], id: "look-up")
            _ = await service.respond(
                to: HTTPRequest(
                    method: .post,
                    target: "/rpc",
                    headers: [HTTPField("X-Request-Id", "stranger")],
                    body: Array(#"{"jsonrpc":"2.0","id":1,"method":"no.such"}"#.utf8)
                )
            )
            try await service.close()
        }
        #expect(try await quiet.all().isEmpty)
        let ids = try await loud.all().compactMap { $0["requestId"]?.stringValue }
        #expect(ids == ["look-up", "stranger"])
    }

    @Test func aForgeryIsAWarningAndAFloodOfThemIsCut() async throws {
        let lines = Lines()
        let service = try await TestService.make(catalog: nil, log: lines.log())
        let body: JSONValue = [
            "signedPayload": .string(try Samples.signAsStranger(["notificationType": "TEST", "version": "2.0"]))
        ]
        let request = HTTPRequest(method: .post, target: "/appstore/notifications", body: body.serialized())
        let started = ContinuousClock.now
        for _ in 0..<100 { _ = await service.respond(to: request) }
        let seconds = Int((ContinuousClock.now - started).components.seconds) + 2
        let written = try await lines.all()
        #expect(written.count <= 10 * seconds)
        #expect(written[0]["level"] == "warning")
        #expect(written[0]["outcome"] == "invalidChain")
        try await service.close()
    }

    @Test func theLogHoldsNeitherKeysNorSignedTextsNorAccounts() async throws {
        let lines = Lines()
        let service = try await TestService.make(log: lines.log(.debug))
        let transaction = Samples.transaction("1001", ["appAccountToken": .string(Samples.account)])
        try await service.notify("00000000-0000-4000-8000-000000000001", transaction)
        try await service.submit(transaction)
        _ = await Self.call(service, "entitlements.get", ["account": .string(Samples.account)])
        let text = try await lines.all().map { String(decoding: $0.serialized(), as: UTF8.self) }.joined()
        #expect(text.contains("transactions.submit"))
        for secret in [Samples.account, service.key.text, "eyJ"] { #expect(!text.contains(secret)) }
        try await service.close()
    }
}
