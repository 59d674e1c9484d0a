import AppStore
import EntitlementDomain
import HTTPServer
import JSON
import Simulator
import Synchronization
import Testing

/// The way out through verifyReceipt, over HTTP to a stand-in on this machine.
@Suite struct VerifyReceiptTests {
    /// Answers like verifyReceipt: the first path's answers one after the other, whoever asks.
    private final class StandIn: HTTPHandler {
        private let answers: Mutex<[JSONValue]>
        let asked = Mutex<[String]>([])

        init(_ answers: [JSONValue]) { self.answers = Mutex(answers) }

        func reply(to request: HTTPRequest) -> HTTPReply {
            let body = try? JSONParser.parse(request.body)
            asked.withLock { $0.append("\(request.target) \(body?["password"]?.stringValue ?? "-")") }
            let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return .now(HTTPResponse(.ok, body: answer.serialized()))
        }
    }

    private static func answer(_ id: String) -> JSONValue {
        [
            "status": 0, "environment": "Sandbox",
            "receipt": [
                "bundle_id": "com.example.app", "receipt_creation_date_ms": "1773532800000",
                "request_date_ms": "1773532860000", "in_app": [],
            ],
            "latest_receipt_info": [
                [
                    "product_id": "pro.monthly", "transaction_id": .string(id), "original_transaction_id": .string(id),
                    "purchase_date_ms": "1772323200000", "expires_date_ms": "1775001600000", "quantity": "1",
                ]
            ],
        ]
    }

    private func run(
        _ answers: [JSONValue],
        _ body: (TestService, StandIn) async throws -> Void
    ) async throws {
        let standIn = StandIn(answers)
        var http = HTTPServerConfiguration()
        http.port = 0
        let listener = try HTTPListener.start(http, handler: standIn)
        let host = "http://127.0.0.1:\(listener.port)"
        let receiptService = ReceiptService(
            transport: URLSessionTransport(),
            hosts: ReceiptServiceHosts(production: host + "/production", sandbox: host + "/sandbox"),
            sharedSecret: "s3cret",
            pause: {}
        )
        let service = try await TestService.make(receiptService: receiptService, now: "2026-03-16T00:00:00Z")
        try await body(service, standIn)
        try await service.close()
        await listener.stop()
    }

    private func failure(_ service: TestService, _ receipt: String = "cmVjZWlwdA==") async -> CallFailure? {
        await #expect(throws: CallFailure.self) {
            _ = try await service.call("receipts.submit", ["receipt": .string(receipt)])
        }
    }

    @Test func aReceiptThatCannotBeJudgedHereIsJudgedByTheAppStore() async throws {
        try await run([["status": 21_007], Self.answer("36001")]) { service, standIn in
            let answer = try await service.call(
                "receipts.submit",
                ["receipt": "cmVjZWlwdA==", "account": .string(Samples.account)]
            )
            #expect(answer["environment"]?.stringValue == "Sandbox")
            #expect(answer["entitlements"]?.arrayValue?.map { $0["entitlement"] } == ["pro"])
            #expect(
                standIn.asked.withLock { $0 } == [
                    "/production/verifyReceipt s3cret", "/sandbox/verifyReceipt s3cret",
                ]
            )
        }
    }

    @Test(
        arguments: [
            (21_003, "invalidSignature", false), (21_002, "malformedStatement", false),
            (21_004, "upstreamRejected", false), (21_005, "upstreamUnavailable", true),
            (21_009, "upstreamUnavailable", true), (21_010, "notFound", false), (21_000, "upstreamRejected", false),
        ] as [(Int64, String, Bool)]
    )
    func everyRefusalHasItsReason(status: Int64, reason: String, isRetryable: Bool) async throws {
        try await run([["status": JSONValue(status)]]) { service, _ in
            let failure = await failure(service)
            #expect(failure?.reason == reason)
            #expect(failure?.message.contains("s3cret") == false)
        }
    }

    @Test func aForgeryIsNotTakenAnyFurther() async throws {
        try await run([Self.answer("36002")]) { service, standIn in
            var receipt = AppReceipt()
            receipt.receiptType = "Production"
            receipt.bundleID = "com.foreign.app"
            receipt.createdAt = Samples.date("2026-03-15T00:00:00Z")
            let signer = try TestService.signing.get().appStore.receiptSigner()
            #expect(await failure(service, try signer.sign(receipt))?.reason == "wrongBundle")
            #expect(standIn.asked.withLock { $0 } == [])
        }
    }
}
