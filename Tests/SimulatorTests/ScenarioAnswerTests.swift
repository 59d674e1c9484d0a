import JSON
import Simulator
import Testing

/// What a delivery is answered, and what the file says about it.
@Suite struct ScenarioAnswerTests {
    private static func one(_ kind: String, answer: String) -> String {
        let content =
            kind == "notification" ? #"{"notificationType":"A"}"# : #"{"transaction":{"transactionId":"1"}}"#
        let member = answer.isEmpty ? "" : #","answer":\#(answer)"#
        return #"{"deliveries":[{"id":"d1","at":"2026-03-01","\#(kind)":\#(content)\#(member)}]}"#
    }

    @Test(arguments: [
        ("", 200, 1, ""), ("", 503, 0, "HTTP 200"), ("", 202, 1, "HTTP 200"),
        (#"{"http":400}"#, 400, 0, ""), (#"{"http":400}"#, 200, 1, "HTTP 400"),
        (#"{"refused":true}"#, 400, 0, ""), (#"{"refused":true}"#, 422, 0, ""),
        (#"{"refused":true}"#, 200, 0, "a refusal (HTTP 4xx)"), (#"{"refused":true}"#, 503, 0, "a refusal (HTTP 4xx)"),
        (#"{"refused":true}"#, 400, 1, "nothing appended"),
    ])
    func aNotificationIsAnsweredAsTheFileSays(answer: String, status: Int, events: Int64, expected: String) async throws
    {
        let report = try await run(Self.one("notification", answer: answer)) {
            ScriptedTarget(notify: { state, _ in
                state.events += events
                return status
            })
        }
        #expect(failures(report).map(\.expected) == (expected.isEmpty ? [] : [expected]))
        #expect(failures(report).allSatisfy { $0.place == "delivery d1" })
    }

    @Test(
        arguments: [
            ("", nil, 1, ""), ("", "ownershipConflict", 0, "no error"),
            (#"{"error":"ownershipConflict"}"#, "ownershipConflict", 0, ""),
            (#"{"error":"ownershipConflict"}"#, "forbidden", 0, "the error ownershipConflict"),
            (#"{"error":"ownershipConflict"}"#, nil, 0, "the error ownershipConflict"),
            (#"{"refused":true}"#, "forbidden", 0, ""), (#"{"refused":true}"#, nil, 0, "a refusal (any error)"),
            (#"{"refused":true}"#, "forbidden", 2, "nothing appended"),
            (#"{"result":{"a":1}}"#, nil, 1, ""), (#"{"result":{"a":2}}"#, nil, 1, #"{"a":2}"#),
            (#"{"result":{"a":1}}"#, "forbidden", 0, "no error"),
        ] as [(String, String?, Int64, String)]
    )
    func anUploadIsAnsweredAsTheFileSays(answer: String, reason: String?, events: Int64, expected: String) async throws
    {
        let report = try await run(Self.one("upload", answer: answer)) {
            ScriptedTarget(call: { state, method, params in
                state.events += events
                #expect(method == "transactions.submit")
                #expect(SignedText.genuinePayload(of: params["signedTransaction"]!.stringValue!) != nil)
                return reason.map { .failure(code: 1, reason: $0, message: "no") } ?? .result(["a": 1, "b": 2])
            })
        }
        #expect(failures(report).map(\.expected) == (expected.isEmpty ? [] : [expected]))
    }

    @Test(arguments: [(-32602, "invalidParams"), (-32601, "methodNotFound"), (-32603, "internalError")])
    func anErrorWithoutReasonGoesByTheNameOfItsCode(code: Int64, name: String) async throws {
        let report = try await run(Self.one("upload", answer: #"{"error":"\#(name)"}"#)) {
            ScriptedTarget(call: { _, _, _ in .failure(code: code, reason: nil, message: "") })
        }
        #expect(report.failed == 0)
    }

    @Test func refusalsThatHangOnTheOrderAreExcusedInOtherOrdersOnly() async throws {
        let text = """
            { "orders": "all", "deliveries": [
                { "id": "a", "at": "2026-03-01", "upload": { "transaction": {"transactionId":"1"}, "account": "U1" } },
                { "id": "b", "at": "2026-03-01", "upload": { "transaction": { "transactionId": "1" }, "account": "U2" },
                  "answer": { "error": "ownershipConflict" } } ] }
            """
        let firstComeFirstServed: @Sendable () async throws -> any ScenarioTarget = {
            ScriptedTarget(call: { state, _, params in
                state.received.append(params["account"]!)
                return state.received[0] == params["account"]
                    ? .result([:]) : .failure(code: 1, reason: "ownershipConflict", message: "")
            })
        }
        #expect(try await run(text, makeTarget: firstComeFirstServed).failed == 0)
        let unavailable: @Sendable () async throws -> any ScenarioTarget = {
            ScriptedTarget(call: { _, _, _ in .failure(code: 1, reason: "unavailable", message: "") })
        }
        #expect(failures(try await run(text, makeTarget: unavailable)).count == 3)
    }
}
