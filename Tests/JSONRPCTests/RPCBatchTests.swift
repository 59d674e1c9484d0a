import JSON
import JSONRPC
import Testing

@Suite struct RPCBatchTests {
    private func answer(_ server: RPCServer<Int>, _ body: String) async throws -> JSONValue? {
        try await server.respond(to: Array(body.utf8), context: 0).map { try JSONParser.parse($0) }
    }

    private func batch(_ count: Int, method: String = "echo") -> String {
        "["
            + (0..<count).map { #"{"jsonrpc":"2.0","method":"\#(method)","params":["x"],"id":\#($0)}"# }
            .joined(separator: ",") + "]"
    }

    @Test func answersComeInTheOrderOfTheRequests() async throws {
        let answer = try await answer(Calculator().server(), batch(100))
        #expect(answer?.arrayValue?.map { $0["id"]?.int64Value } == (0..<100).map(Int64.init))
    }

    @Test func aBatchOverTheLimitIsOneErrorAndRunsNothing() async throws {
        let recorder = Recorder()
        let answer = try await answer(Calculator().server(interceptor: recorder), batch(101))
        #expect(answer?["error"]?["code"] == -32600)
        #expect(answer?["error"]?["data"] == ["reason": "batchTooLarge", "limit": 100])
        #expect(answer?["id"] == JSONValue.null)
        #expect(recorder.lines.isEmpty)
    }

    @Test func aFullResponseStopsTheCallsAfterItButNotNotifications() async throws {
        var limits = RPCLimits()
        limits.maximumResponseBytes = 100
        let recorder = Recorder()
        let long = String(repeating: "x", count: 80)
        let body =
            #"[{"jsonrpc":"2.0","method":"echo","params":["\#(long)"],"id":1},"#
            + #"{"jsonrpc":"2.0","method":"echo","id":2},{"jsonrpc":"2.0","method":"sum"},"#
            + #"{"jsonrpc":"2.0","method":"echo","id":"3"}]"#
        let answers = try await answer(Calculator().server(limits: limits, interceptor: recorder), body)?.arrayValue
        #expect(answers?.count == 3)
        #expect(answers?[0]["result"] == [JSONValue(long)])
        for (index, id) in [(1, JSONValue(2)), (2, "3")] {
            #expect(answers?[index]["error"]?["code"] == -32600)
            #expect(answers?[index]["error"]?["data"] == ["reason": "responseTooLarge", "limit": 100])
            #expect(answers?[index]["id"] == id)
        }
        #expect(recorder.lines == ["will echo 0", "did echo result 84", "will sum notification 0", "did sum result 1"])
    }

    @Test func errorsCountTowardsTheResponse() async throws {
        var limits = RPCLimits()
        limits.maximumResponseBytes = 200
        let answers = try await answer(Calculator().server(limits: limits), batch(5, method: "missing"))?.arrayValue
        let reasons = answers?.map { $0["error"]?["data"]?["reason"]?.stringValue }
        #expect(reasons == [nil, nil, nil, "responseTooLarge", "responseTooLarge"])
    }

    @Test func depthIsLimitedForSingleCallsAndBatches() async throws {
        var limits = RPCLimits()
        limits.maximumDepth = 4
        let server = Calculator().server(limits: limits)
        let fits = #"{"jsonrpc":"2.0","method":"echo","params":[[[1]]],"id":1}"#
        #expect(try await answer(server, fits)?["result"] == [[[1]]])
        for body in [
            #"{"jsonrpc":"2.0","method":"echo","params":[[[[1]]]],"id":1}"#, "[\(fits)]",
            String(repeating: "[", count: 100_000),
        ] {
            let answer = try await answer(server, body)
            #expect(answer?["error"]?["code"] == -32700)
            #expect(answer?["error"]?["data"] == ["reason": "tooDeep", "limit": 4])
        }
    }

    @Test func theInterceptorSeesEachCallOfABatchAndCanRefuseIt() async throws {
        let recorder = Recorder(refusing: "sum")
        let server = Calculator().server(interceptor: recorder)
        let body =
            #"[{"jsonrpc":"2.0","method":"echo","id":1},{"jsonrpc":"2.0","method":"sum","id":2},7,"#
            + #"{"jsonrpc":"2.0","method":"nothing","id":3},{"jsonrpc":"2.0","method":"cached"}]"#
        let answers = try await answer(server, body)?.arrayValue
        #expect(answers?.map { $0["error"]?["code"]?.int64Value } == [nil, 2, -32600, -32601])
        #expect(answers?[1]["error"]?["data"]?["reason"] == "forbidden")
        #expect(
            recorder.lines == [
                "will echo 0", "did echo result 4", "will sum 0", "did sum error 2", "will nothing unknown 0",
                "did nothing error -32601", "will cached notification 0", "did cached result 8",
            ]
        )
    }

    @Test func theInterceptorSeesASingleCallOnce() async throws {
        let recorder = Recorder()
        let server = Calculator().server(interceptor: recorder)
        _ = await server.respond(
            to: Array(#"{"jsonrpc":"2.0","method":"cached","params":[2],"id":1}"#.utf8),
            context: 4
        )
        #expect(recorder.lines == ["will cached 4", "did cached result 8"])
    }
}
