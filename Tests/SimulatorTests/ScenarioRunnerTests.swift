import EntitlementDomain
import Foundation
import JSON
import Simulator
import Synchronization
import Testing
import X509

@Suite struct ScenarioRunnerTests {
    /// Two notifications in every order, twice, and a question at the end.
    private static let twoInEveryOrder = """
        { "orders": "all", "repeat": true,
          "deliveries": [
            { "id": "d1", "at": "2026-03-01T00:00:00Z", "notification": { "notificationType": "FIRST" } },
            { "id": "d2", "at": "2026-03-02T00:00:00Z", "notification": { "notificationType": "SECOND" } } ],
          "expect": [
            { "after": "d1", "at": "2026-03-01T12:00:00Z", "account": "U1","entitlement":"pro", "is": {"last": "FIRST"} },
            { "at": "2026-03-03T00:00:00Z", "account": "U1", "entitlement": "pro", "is": {"last": "SECOND"} } ] }
        """

    /// Answers with the notification that a rule chooses among those received.
    private static func target(
        choosing choose: @escaping @Sendable ([JSONValue]) -> JSONValue?
    ) -> ScriptedTarget {
        ScriptedTarget(
            notify: { state, payload in
                state.received.append(payload)
                return 200
            },
            call: { state, _, _ in
                let last = choose(state.received)?["notificationType"] ?? .null
                return .result(["entitlements": [["entitlement": "pro", "last": last]]])
            }
        )
    }

    @Test func aTargetThatGoesBySignedDatesPassesInEveryOrder() async throws {
        let target = Self.target { $0.max { $0["signedDate"]!.int64Value! < $1["signedDate"]!.int64Value! } }
        let report = try await run(Self.twoInEveryOrder) { target }
        #expect(report.passed == 1 && report.failed == 0)
        #expect(
            target.journal == [
                "2026-03-01T00:00:00.000Z reset", "2026-03-01T00:00:00.000Z FIRST",
                "2026-03-01T12:00:00.000Z entitlements.get",
                "2026-03-02T00:00:00.000Z SECOND", "2026-03-03T00:00:00.000Z entitlements.get",
                "2026-03-02T00:00:00.000Z FIRST", "2026-03-02T00:00:00.000Z SECOND",
                "2026-03-03T00:00:00.000Z entitlements.get",
                "2026-03-01T00:00:00.000Z reset", "2026-03-02T00:00:00.000Z SECOND", "2026-03-02T00:00:00.000Z FIRST",
                "2026-03-03T00:00:00.000Z entitlements.get", "2026-03-02T00:00:00.000Z SECOND",
                "2026-03-02T00:00:00.000Z FIRST", "2026-03-03T00:00:00.000Z entitlements.get",
            ]
        )
    }

    @Test func aTargetThatGoesByArrivalFailsInTheOtherOrder() async throws {
        let report = try await run(Self.twoInEveryOrder) { Self.target(choosing: \.last) }
        let failure = try #require(failures(report).first)
        #expect(report.passed == 0 && report.failed == 1)
        #expect(failure.order == ["d2", "d1"])
        #expect(!failure.isListedOrder)
        #expect(failure.pass == 1)
        #expect(failure.place == "expectation 1, line 7: entitlement pro of account U1 at 2026-03-03T00:00:00.000Z")
        #expect(failure.expected == #"{"last":"SECOND"}"#)
        #expect(failure.got == #"{"entitlement":"pro","last":"FIRST"}"#)
        #expect(failure.differsAt == "/last")
        #expect(
            report.files[0].text.hasPrefix(
                """
                FAILED  story.json
                    order d2 d1
                      expectation 1, line 7: entitlement pro of account U1 at 2026-03-03T00:00:00.000Z
                        expected {"last":"SECOND"}
                        got      {"entitlement":"pro","last":"FIRST"}
                        differs at /last
                """
            )
        )
        #expect(report.summary == "0 passed, 1 failed")
    }

    @Test func aTargetThatForgetsTheSecondTimeFailsInTheSecondPass() async throws {
        let report = try await run(Self.twoInEveryOrder) {
            Self.target {
                $0.count > 2 ? $0.first : $0.max { $0["signedDate"]!.int64Value! < $1["signedDate"]!.int64Value! }
            }
        }
        #expect(failures(report).first?.pass == 2)
        #expect(failures(report).first?.order == ["d1", "d2"])
    }

    @Test func theSmallestFailingOrdersAreReportedAndNoMoreThanTheLimit() async throws {
        let text = """
            { "orders": "all", "deliveries": [
                { "id": "a", "at": "2026-03-01", "notification": { "notificationType": "A" } },
                { "id": "b", "at": "2026-03-01", "notification": { "notificationType": "B" } },
                { "id": "c", "at": "2026-03-01", "notification": { "notificationType": "C" } },
                { "id": "d", "at": "2026-03-01", "notification": { "notificationType": "D" } } ],
              "expect": [ { "at": "2026-03-01", "account": "U1", "entitlement": "pro", "is": { "last": "D" } } ] }
            """
        for workers in [1, 3] {
            let report = try await run(text, workers: workers, failureLimit: 2) { Self.target(choosing: \.last) }
            #expect(failures(report).map { $0.order.joined() } == ["abdc", "acdb"])
        }
    }

    @Test func anEntitlementThatIsNotThereReadsNone() async throws {
        let text = """
            { "deliveries": [], "expect": [
                { "at": "2026-03-01", "account": "U1", "entitlement": "pro", "is": {"active":false,"state":"none"} },
                { "at": "2026-03-01", "account": "U1", "balances": { "coins": 0 } },
                { "at": "2026-03-01", "account": "U1", "balances": { "coins": 1 } } ] }
            """
        let report = try await run(text) { ScriptedTarget() }
        #expect(failures(report).map(\.expected) == [#"{"coins":1}"#])
        #expect(failures(report).map(\.got) == [#"{"coins":0}"#])
    }

    @Test func questionsNameTheirKeyAndInstant() async throws {
        let asked = Mutex<[JSONValue]>([])
        let text = """
            { "deliveries": [], "expect": [
                { "at": "2026-03-01", "account": "U1", "balances": {} },
                { "at": "2026-03-01", "originalTransactionId": "7", "environment": "Sandbox", "balances": {} },
                { "at": "2026-03-01", "originalTransactionId": "7", "environment": "Sandbox", "eventTypes": ["A"] },
                { "at": "2026-03-01", "rpc": { "method": "x", "params": { "a": ["U2"] } }, "is": { "b": 1 } },
                { "at": "2026-03-01", "rpc": { "method": "y" }, "error": "notFound" } ] }
            """
        let report = try await run(text) {
            ScriptedTarget(call: { _, method, params in
                asked.withLock { $0.append([.string(method), params]) }
                switch method {
                case "events.list": return .result(["events": [["type": "A", "position": 1]]])
                case "x": return .result(["b": 1, "c": 2])
                case "y": return .failure(code: 1, reason: "notFound", message: "")
                default: return .result(["entitlements": [], "balances": [:]])
                }
            })
        }
        #expect(report.summary == "1 passed, 0 failed")
        let u1 = "11111111-1111-4111-8111-111111111111"
        #expect(
            asked.withLock { $0 } == [
                ["entitlements.get", ["account": .string(u1), "at": "2026-03-01T00:00:00.000Z"]],
                [
                    "entitlements.get",
                    ["originalTransactionId": "7", "environment": "Sandbox", "at": "2026-03-01T00:00:00.000Z"],
                ],
                ["events.list", ["originalTransactionId": "7", "environment": "Sandbox"]],
                ["x", ["a": ["22222222-2222-4222-8222-222222222222"]]],
                ["y", [:]],
            ]
        )
    }

    @Test func eventTypesAreAskedInListedOrderOnly() async throws {
        let text = """
            { "orders": "all", "deliveries": [
                { "id": "a", "at": "2026-03-01", "notification": { "notificationType": "A" } },
                { "id": "b", "at": "2026-03-01", "notification": { "notificationType": "B" } } ],
              "expect": [ { "at": "2026-03-01", "account": "U1", "eventTypes": ["A", "B"] } ] }
            """
        let report = try await run(text) {
            ScriptedTarget(
                notify: { state, payload in
                    state.received.append(["type": payload["notificationType"]!])
                    return 200
                },
                call: { state, _, _ in .result(["events": .array(state.received)]) }
            )
        }
        #expect(report.summary == "1 passed, 0 failed")
    }

    // MARK: What is sent

    @Test func everyOrderAndRepetitionSendsTheSameText() async throws {
        let bodies = Mutex<[String: Set<[UInt8]>]>([:])
        struct Recorder: ScenarioTarget {
            let inner: ScriptedTarget
            let note: @Sendable ([UInt8]) -> Void
            func reset(_ setup: ScenarioSetup) async throws { try await inner.reset(setup) }
            func setClock(_ now: Instant) async { await inner.setClock(now) }
            func notify(_ body: [UInt8]) async throws -> Int {
                note(body)
                return try await inner.notify(body)
            }
            func call(_ method: String, _ params: JSONValue) async throws -> ScenarioCallResult {
                try await inner.call(method, params)
            }
            func eventCount() async throws -> Int64 { try await inner.eventCount() }
        }
        _ = try await run(Self.twoInEveryOrder, workers: 2) {
            Recorder(inner: ScriptedTarget()) { body in
                let text = try! JSONParser.parse(body)["signedPayload"]!.stringValue!
                let type = SignedText.genuinePayload(of: text)!["notificationType"]!.stringValue!
                bodies.withLock { _ = $0[type, default: []].insert(body) }
            }
        }
        #expect(bodies.withLock { $0.mapValues(\.count) } == ["FIRST": 1, "SECOND": 1])
    }

    @Test(arguments: ["signature", "payload", "chain"])
    func spoiledTextsAreNotGenuine(tamper: String) async throws {
        let text = """
            { "deliveries": [
                { "id": "a", "at": "2026-03-01", "tamper": "\(tamper)", "answer": { "http": 400 },
                  "notification": { "notificationType": "A", "transaction": { "transactionId": "1" } } },
                { "id": "b", "at": "2026-03-01", "tamper": "\(tamper)", "answer": { "error": "invalidSignature" },
                  "upload": { "transaction": { "transactionId": "1" } } } ] }
            """
        let report = try await run(text) {
            ScriptedTarget(
                notify: { _, payload in payload.isNull ? 400 : 200 },
                call: { _, _, params in
                    SignedText.genuinePayload(of: params["signedTransaction"]!.stringValue!) == nil
                        ? .failure(code: 1, reason: "invalidSignature", message: "") : .result([:])
                }
            )
        }
        #expect(report.summary == "1 passed, 0 failed")
    }

    @Test func statementsOfXcodeAreSignedAsXcodeDoes() async throws {
        let text = """
            { "policy": { "acceptXcode": true }, "deliveries": [
                { "id": "a", "at": "2026-03-01", "upload": {
                    "transaction": { "transactionId": "1", "environment": "Xcode" }, "renewalInfo": {} } } ] }
            """
        let target = ScriptedTarget(call: { _, _, params in
            for key in ["signedTransaction", "signedRenewalInfo"] {
                let payload = SignedText.xcodePayload(of: params[key]!.stringValue!)
                #expect(payload?["environment"] == "Xcode")
            }
            return .result([:])
        })
        #expect(try await run(text) { target }.failed == 0)
        #expect(target.setup?.policy == ["acceptXcode": true])
        #expect(target.setup?.trustedRoots == [SignedText.signing.appStore.root.certificate.der])
        #expect(target.setup?.xcodeCertificate == SignedText.signing.xcodeCertificate)
        #expect(target.setup?.bundleID == "com.example.app")
        #expect(target.setup?.appAppleID == 1_234_567_890)
        #expect(target.setup?.catalog == Fixtures.catalog)
    }

    // MARK: The run

    @Test func aCatalogThatTheServiceRefusesFailsTheFileAndNotTheRun() async throws {
        let report = try await run(#"{"catalog":{"products":[],"isFaulty":1},"deliveries":[]}"#, Self.twoInEveryOrder) {
            Self.target { $0.max { $0["signedDate"]!.int64Value! < $1["signedDate"]!.int64Value! } }
        }
        #expect(report.summary == "1 passed, 1 failed")
        #expect(failures(report).map(\.got) == ["this catalog is faulty"])
    }

    @Test func aTargetThatCannotBeMadeEndsTheRun() async throws {
        await #expect(throws: ScriptedTarget.Refused.self) {
            try await run(Self.twoInEveryOrder) { throw ScriptedTarget.Refused() }
        }
    }

    @Test func filesAreReportedInTheirOrderWithALineEach() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "runner-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [
            ("a.json", #"{"name":"A","deliveries":[]}"#), ("b.json", "{"), ("catalog.json", #"{"products":[]}"#),
            ("d.json", Self.twoInEveryOrder),
        ] {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let lines = Mutex<[String]>([])
        var runner = ScenarioRunner(signing: SignedText.signing) {
            Self.target { $0.max { $0["signedDate"]!.int64Value! < $1["signedDate"]!.int64Value! } }
        }
        runner.workers = 4
        let report = try await runner.run(files: [folder.path(percentEncoded: false), "/nowhere/x.json"]) { file in
            lines.withLock { $0.append(file.text) }
        }
        #expect(
            lines.withLock { $0 } == [
                "ok      a.json (1 order)",
                "FAILED  b.json\n    b.json:1:2: not JSON: the document ends inside a value",
                "skipped catalog.json (no deliveries)",
                "ok      d.json (2 orders)",
                report.files[4].text,
            ]
        )
        #expect(report.files[4].text.contains("cannot read /nowhere/x.json"))
        #expect(report.summary == "2 passed, 2 failed")
        #expect(report.json["passed"] == 2)
        #expect(report.json["failed"] == 2)
        #expect(
            report.json["files"]?.arrayValue?.map { $0["outcome"] ?? .null }
                == ["passed", "faulty", "skipped", "passed", "faulty"]
        )
        #expect(report.json["files"]?[0] == ["file": "a.json", "name": "A", "outcome": "passed", "orders": 1])
    }
}
