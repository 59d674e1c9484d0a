import EntitlementDomain
import Foundation
import JSON
import Postgres
import Simulator
import Testing
import X509

extension SystemTests {
    /// Bad input of every kind gets a clear typed answer and leaves the log as it was.
    @Suite struct BadInputTests {
        /// Statements of one purchase, with something wrong with each.
        private struct Statements {
            let chain: ThrowawayChain

            private let transaction: JSONObject = [
                "transactionId": "1001", "originalTransactionId": "1001", "bundleId": "com.example.app",
                "productId": "pro.monthly", "purchaseDate": 1_767_225_600_000, "expiresDate": 1_769_904_000_000,
                "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "environment": "Production",
                "signedDate": 1_767_225_600_000,
            ]

            func signedTransaction(
                _ changes: JSONObject = [:],
                by signer: StatementSigner? = nil
            ) throws -> String {
                var payload = transaction
                for member in changes.members { payload[member.key] = member.value }
                return try (signer ?? chain.signer).sign(JSONValue.object(payload).serialized())
            }

            /// The body of a notification around such a transaction.
            func notification(
                _ changes: JSONObject = [:],
                by signer: StatementSigner? = nil,
                spoil: (String) -> String = { $0 }
            ) throws -> [UInt8] {
                let environment = changes["environment"] ?? "Production"
                let payload: JSONValue = [
                    "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "version": "2.0",
                    "notificationUUID": .string(UUID().uuidString), "signedDate": 1_767_225_600_000,
                    "data": [
                        "environment": environment, "appAppleId": 1_234_567_890,
                        "bundleId": changes["bundleId"] ?? "com.example.app", "status": 1,
                        "signedTransactionInfo": .string(try signedTransaction(changes, by: signer)),
                    ],
                ]
                let text = spoil(try (signer ?? chain.signer).sign(payload.serialized()))
                return JSONValue.object(["signedPayload": .string(text)]).serialized()
            }

            /// One byte of a segment of a signed text replaced by another of the same alphabet.
            static func flipped(_ text: String, segment: Int) -> String {
                var segments = text.split(separator: ".").map { Array($0.utf8) }
                let place = segments[segment].count / 2
                segments[segment][place] =
                    segments[segment][place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                return segments.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
            }

            /// A signer whose certificate was valid in the year 2000 only.
            func expiredSigner() throws -> StatementSigner {
                let template = CertificateTemplate(
                    commonName: "Expired Signer",
                    validity: CertificateValidity(notBefore: 946_684_800_000, notAfter: 978_307_200_000),
                    markers: [CertificateTemplate.Marker(oid: "1.2.840.113635.100.6.11.1")]
                )
                let leaf = try chain.intermediate.issue(template, to: chain.key.key)
                return ThrowawayChain(root: chain.root, intermediate: chain.intermediate, leaf: leaf, key: chain.key)
                    .signer
            }
        }

        private static let productionOnly: JSONObject = ["environments": ["Production"]]

        @Test func aBadNotificationIsRefusedWithItsReason() async throws {
            try await ServeService.with(policy: Self.productionOnly) { service in
                let statements = Statements(chain: service.chain)
                let stranger = try ThrowawayChain.make(validity: ScenarioSigning.validity).signer
                let deep = Array((String(repeating: "[", count: 100_000)).utf8)
                let cases: [(name: String, body: [UInt8], status: Int, reason: String)] = [
                    ("empty", [], 400, "malformedStatement"),
                    ("no JSON", Array("signedPayload=abc".utf8), 400, "malformedStatement"),
                    ("no UTF-8", [0x7B, 0x22, 0xFF, 0x22, 0x7D], 400, "malformedStatement"),
                    ("no object", Array("[]".utf8), 400, "malformedStatement"),
                    ("no member", Array("{}".utf8), 400, "malformedStatement"),
                    ("a number", Array(#"{"signedPayload": 7}"#.utf8), 400, "malformedStatement"),
                    ("no signed text", Array(#"{"signedPayload": "abc"}"#.utf8), 400, "malformedStatement"),
                    ("empty segments", Array(#"{"signedPayload": ".."}"#.utf8), 400, "malformedStatement"),
                    ("deep", deep, 400, "malformedStatement"),
                    (
                        "a byte of the payload flipped",
                        try statements.notification(spoil: { Statements.flipped($0, segment: 1) }), 400,
                        "invalidSignature"
                    ),
                    (
                        "a byte of the signature flipped",
                        try statements.notification(spoil: { Statements.flipped($0, segment: 2) }), 400,
                        "invalidSignature"
                    ),
                    ("another chain", try statements.notification(by: stranger), 400, "invalidChain"),
                    (
                        "a foreign app", try statements.notification(["bundleId": "com.example.other"]), 400,
                        "wrongBundle"
                    ),
                    // Well formed, but not verifiable: kept aside, and the App Store is asked to come again.
                    ("expired", try statements.notification(by: statements.expiredSigner()), 503, "parked"),
                ]
                let before = try await service.eventCount()
                for item in cases {
                    let answer = try await service.client.notify(item.body)
                    #expect(answer.status == item.status, "\(item.name)")
                    #expect(answer.headers["content-type"] == "application/json", "\(item.name)")
                    #expect(answer.json["error"]?["reason"] == .string(item.reason), "\(item.name): \(answer.json)")
                    #expect(answer.json["error"]?["message"]?.stringValue?.isEmpty == false, "\(item.name)")
                }
                #expect(try await service.client.sendTooMuch(to: "/appstore/notifications").status == 413)
                #expect(try await service.eventCount() == before)
                let parked = try await withDatabase(service.database) {
                    try $0.query("SELECT count(*) FROM entitled.quarantine").int64(0, 0)
                }
                #expect(parked == 1)

                // An environment that is not accepted is no fault of the App Store's: kept, without effect.
                let sandbox = try await service.client.notify(statements.notification(["environment": "Sandbox"]))
                #expect(sandbox.status == 200)
                #expect(try await service.eventCount() == before + 1)
                let page = try await service.client.call("events.list", ["limit": 100])
                #expect(page["result"]?["events"]?[1]?["type"] == "Received", "\(page)")
                let lines = try await withDatabase(service.database) {
                    try $0.query("SELECT count(*) FROM entitled.lines").int64(0, 0)
                }
                #expect(lines == 0)

                // After all that, a good one works, whatever its content type says.
                let good = try await service.client.send(
                    "POST",
                    "/appstore/notifications",
                    headers: ["Content-Type": "text/plain"],
                    body: statements.notification()
                )
                #expect(good.status == 200)
                #expect(try await service.eventCount() == before + 2)
            }
        }

        @Test func aBadCallIsAnsweredWithItsReason() async throws {
            try await ServeService.with(policy: Self.productionOnly) { service in
                let client = service.client
                let statements = Statements(chain: service.chain)
                let stranger = try ThrowawayChain.make(validity: ScenarioSigning.validity).signer
                let account: JSONValue = "11111111-1111-4111-8111-111111111111"
                func submit(_ text: String) -> (String, JSONObject) {
                    ("transactions.submit", ["signedTransaction": .string(text), "account": account])
                }
                let good = try statements.signedTransaction()
                let refused: [(name: String, call: (method: String, params: JSONObject), reason: String)] = [
                    ("flipped payload", submit(Statements.flipped(good, segment: 1)), "invalidSignature"),
                    ("flipped signature", submit(Statements.flipped(good, segment: 2)), "invalidSignature"),
                    ("no signed text", submit("abc"), "malformedStatement"),
                    ("another chain", submit(try statements.signedTransaction(by: stranger)), "invalidChain"),
                    (
                        "foreign app", submit(try statements.signedTransaction(["bundleId": "com.example.other"])),
                        "wrongBundle"
                    ),
                    (
                        "sandbox", submit(try statements.signedTransaction(["environment": "Sandbox"])),
                        "wrongEnvironment"
                    ),
                    (
                        "Xcode", submit(try statements.signedTransaction(["environment": "Xcode"])), "wrongEnvironment"
                    ),
                    (
                        "no transaction id", submit(try statements.signedTransaction(["transactionId": .null])),
                        "malformedStatement"
                    ),
                    (
                        "expired certificate", submit(try statements.signedTransaction(by: statements.expiredSigner())),
                        "certificateExpired"
                    ),
                ]
                let before = try await service.eventCount()
                for item in refused {
                    let answer = try await client.call(item.call.method, item.call.params)
                    #expect(answer["error"]?["data"]?["reason"] == .string(item.reason), "\(item.name): \(answer)")
                    let code = answer["error"]?["code"]?.int64Value ?? 0
                    #expect((1...999).contains(code), "\(item.name): \(answer)")
                    #expect(answer["id"] == 1, "\(item.name): \(answer)")
                }
                let invalid: [(method: String, params: JSONObject, code: JSONValue)] = [
                    ("no.such.method", [:], -32601),
                    ("rpc.noSuchMethod", [:], -32601),
                    ("entitlements.get", [:], -32602),
                    ("entitlements.get", ["account": "not a UUID"], -32602),
                    ("entitlements.get", ["account": 7], -32602),
                    ("entitlements.get", ["originalTransactionId": 1_001], -32602),
                    ("entitlements.get", ["account": account, "originalTransactionId": "1001"], -32602),
                    ("entitlements.get", ["account": account, "at": "yesterday"], -32602),
                    ("entitlements.get", ["account": account, "minPosition": "7"], -32602),
                    ("entitlements.get", ["account": account, "unknownParameter": 1], -32602),
                    ("entitlements.check", ["account": account], -32602),
                    ("transactions.submit", [:], -32602),
                    ("transactions.submit", ["signedTransaction": 7], -32602),
                    ("events.list", ["limit": -1], -32602),
                    ("events.list", ["after": "x"], -32602),
                    ("catalog.put", ["catalog": ["products": 7]], -32602),
                ]
                for item in invalid {
                    let answer = try await client.call(item.method, item.params)
                    #expect(answer["error"]?["code"] == item.code, "\(item.method) \(item.params): \(answer)")
                    #expect(answer["id"] == 1)
                }
                #expect(try await service.eventCount() == before)
                let accepted = try await client.call("transactions.submit", submit(good).1)
                #expect(accepted["result"]?["entitlements"]?[0]?["entitlement"] == "pro", "\(accepted)")
                #expect(try await service.eventCount() == before + 2)
            }
        }

        @Test func aBadBodyOfCallsIsAnsweredAndDoesNotCostMuch() async throws {
            try await ServeService.with { service in
                let call =
                    #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"originalTransactionId":"1"}}"#
                let batch = "[" + Array(repeating: call, count: 10_000).joined(separator: ",") + "]"
                let deep =
                    #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":"#
                    + String(repeating: #"{"a":"#, count: 100_000)
                let cases: [(name: String, body: String, code: JSONValue)] = [
                    ("empty", "", -32700), ("no JSON", "abc", -32700), ("cut off", "{", -32700),
                    ("an empty batch", "[]", -32600), ("a number", "7", -32600),
                    ("no version", #"{"id":1,"method":"entitlements.get"}"#, -32600),
                    ("an object as id", #"{"jsonrpc":"2.0","id":{},"method":"a"}"#, -32600),
                    ("a batch of ten thousand", batch, -32600), ("deep", deep, -32700),
                    (
                        "positional parameters",
                        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":["1"]}"#, -32602
                    ),
                ]
                let before = try await service.eventCount()
                for item in cases {
                    let started = ContinuousClock.now
                    let answer = try await service.client.rpc(Array(item.body.utf8))
                    #expect(answer.status == 200, "\(item.name)")
                    #expect(answer.json["error"]?["code"] == item.code, "\(item.name): \(answer.json)")
                    #expect(answer.headers["content-type"] == "application/json", "\(item.name)")
                    #expect(answer.body.count < 10_000, "\(item.name)")
                    #expect(started.duration(to: .now) < .seconds(10), "\(item.name)")
                }
                #expect(try await service.client.sendTooMuch(to: "/rpc").status == 413)
                #expect(try await service.eventCount() == before)
                #expect(try await eventually { try await service.client.send("GET", "/readyz").status == 200 })
            }
        }

        @Test func onlyAKeyInForceWithTheRightScopeOpens() async throws {
            try await ServeService.with { service in
                let database = ["ENTITLED_DATABASE": service.database]
                func makeKey(_ arguments: String...) async throws -> String {
                    let result = try await Program.run(
                        ["keys", "create", "--name", "another"] + arguments,
                        environment: database
                    )
                    #expect(result.status == 0, "\(result.errors)")
                    return String(result.output.prefix { !$0.isNewline })
                }
                func reason(_ method: String, key: String) async throws -> JSONValue? {
                    try await service.client.call(method, ["originalTransactionId": "1"], key: key)["error"]?["data"]?[
                        "reason"
                    ]
                }
                let reading = try await makeKey("--scopes", "read")
                let expired = try await makeKey("--expires", "2001-01-01T00:00:00Z")
                let good = service.client.key
                let wrong = String(good.dropLast()) + (good.hasSuffix("A") ? "B" : "A")
                #expect(try await reason("entitlements.get", key: good) == nil)
                #expect(try await eventually { try await reason("entitlements.get", key: reading) == nil })
                for key in [
                    "", "x", "ent_", "ent_0123456789ab_secret", wrong, expired, "é",
                    String(repeating: "a", count: 4_000),
                ] {
                    #expect(try await reason("entitlements.get", key: key) == "unauthorized", "\(key)")
                }
                for method in ["transactions.submit", "events.list", "catalog.put", "grants.issue"] {
                    #expect(try await reason(method, key: reading) == "forbidden", "\(method)")
                }
                #expect(try await service.client.call("rpc.discover", [:], key: "")["result"] != nil)

                // A revoked key is refused within seconds by a service that knows it.
                let id = reading.split(separator: "_")[1]
                let revoked = try await Program.run("keys", "revoke", String(id), environment: database)
                #expect(revoked.status == 0, "\(revoked.errors)")
                #expect(
                    try await eventually { try await reason("entitlements.get", key: reading) == "unauthorized" }
                )
                // Neither the keys nor their secrets are in what the service prints.
                let printed = service.program.output + service.program.errors
                for key in [good, reading, expired] { #expect(!printed.contains(key)) }
            }
        }

        @Test func wrongPathsAndMethodsAreAnsweredAsHTTPWants() async throws {
            try await ServeService.with { service in
                let cases: [(method: String, path: String, status: Int, allow: String?)] = [
                    ("GET", "/rpc", 405, "POST"), ("PUT", "/appstore/notifications", 405, "POST"),
                    ("POST", "/healthz", 405, "GET, HEAD"), ("DELETE", "/metrics", 405, "GET, HEAD"),
                    ("GET", "/", 404, nil), ("GET", "/rpc/", 404, nil), ("GET", "/../etc/passwd", 404, nil),
                    ("GET", "/healthz?x=1", 200, nil), ("GET", "/openrpc.json", 200, nil),
                ]
                for item in cases {
                    let answer = try await service.client.send(item.method, item.path)
                    #expect(answer.status == item.status, "\(item.method) \(item.path)")
                    #expect(answer.headers["allow"] == item.allow, "\(item.method) \(item.path)")
                }
            }
        }

        @Test func garbageOnTheSocketDisturbsNobody() async throws {
            let garbage: [(name: String, bytes: [UInt8], statuses: Set<Int>)] = [
                (
                    "a TLS greeting",
                    [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03, 13, 10, 13, 10], [400]
                ),
                (
                    "noise", (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 193 &+ 7) } + [13, 10, 13, 10],
                    [400, 431]
                ),
                ("one word", Array("GARBAGE\r\n\r\n".utf8), [400]),
                ("another protocol", Array("GET /healthz SPDY/9\r\n\r\n".utf8), [400, 505]),
                ("no host", Array("GET /healthz HTTP/1.1\r\n\r\n".utf8), [400]),
                ("a negative length", Array("POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n".utf8), [400]),
                (
                    "two lengths",
                    Array("POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}".utf8),
                    [400]
                ),
                (
                    "a length and chunks",
                    Array(
                        "POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                            .utf8
                    ), [400]
                ),
                (
                    "a chunk without a size",
                    Array("POST /rpc HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".utf8), [400]
                ),
                (
                    "endless headers",
                    Array("GET /healthz HTTP/1.1\r\nHost: a\r\n".utf8)
                        + Array(String(repeating: "X-Header: value\r\n", count: 10_000).utf8) + [13, 10], [431]
                ),
                ("a request cut off", Array("POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{".utf8), []),
                ("nothing", [], []),
            ]
            try await ServeService.with { service in
                let port = service.client.port
                let before = try await service.eventCount()
                for item in garbage {
                    let answer = try await onOwnThread {
                        let connection = try RawConnection(port: port)
                        // The service may hang up before all of it is sent.
                        try? connection.send(item.bytes)
                        connection.finishSending()
                        return connection.receiveAll()
                    }
                    // Either it hangs up, or it says what it thinks of it.
                    let words = String(decoding: answer.prefix(32), as: UTF8.self).split(separator: " ")
                    if !answer.isEmpty {
                        #expect(words.count > 1 && item.statuses.contains(Int(words[1]) ?? 0), "\(item.name): \(words)")
                    }
                    #expect(try await service.client.send("GET", "/healthz").status == 200, "after \(item.name)")
                }
                #expect(try await service.eventCount() == before)
                service.program.signal(SIGTERM)
                #expect(await service.program.end() == 0)
            }
        }
    }
}
