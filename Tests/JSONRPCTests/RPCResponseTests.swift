import JSON
import JSONRPC
import Testing

@Suite struct RPCResponseTests {
    @Test func requestsAreSpelledOut() {
        let call = RPCRequest("sum", params: [1, 2], id: 9_007_199_254_740_993)
        #expect(
            String(decoding: call.serialized(), as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":9007199254740993}"#
        )
        let batch = [RPCRequest("a", id: "x\""), RPCRequest("b", id: nil), RPCRequest("c", id: .null)]
        #expect(
            String(decoding: RPCRequest.serialized(batch: batch), as: UTF8.self)
                == #"[{"jsonrpc":"2.0","method":"a","id":"x\""},{"jsonrpc":"2.0","method":"b"},"#
                + #"{"jsonrpc":"2.0","method":"c","id":null}]"#
        )
    }

    @Test func resultsAndErrorsAreRead() throws {
        let result = try RPCResponse(Array(#"{"jsonrpc":"2.0","result":{"a":[1]},"id":7}"#.utf8))
        #expect(result == RPCResponse(id: 7, result: .success(["a": [1]])))
        let error = try RPCResponse(
            Array(#"{"jsonrpc":"2.0","error":{"code":5,"message":"m","data":{"reason":"r"}},"id":"x"}"#.utf8)
        )
        let expected = JSONRPCError(code: 5, message: "m", data: ["reason": "r"])
        #expect(error == RPCResponse(id: "x", result: .failure(expected)))
        let null = try RPCResponse(Array(#"{"jsonrpc":"2.0","result":null,"id":null}"#.utf8))
        #expect(null == RPCResponse(id: .null, result: .success(.null)))
    }

    @Test func batchesAreReadInOrderAndASingleErrorIsOneResponse() throws {
        let responses = try RPCResponse.batch(
            Array(#"[{"jsonrpc":"2.0","result":1,"id":2},{"jsonrpc":"2.0","result":2,"id":1}]"#.utf8)
        )
        #expect(responses.map(\.id) == [2, 1])
        let single = try RPCResponse.batch(
            Array(#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"},"id":null}"#.utf8)
        )
        #expect(single.count == 1)
        #expect(throws: RPCResponseError.self) { try RPCResponse.batch(Array("[1]".utf8)) }
    }

    @Test(arguments: [
        "", "[]", "1", "{}", #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","result":1}"#,
        #"{"result":1,"id":1}"#, #"{"jsonrpc":"1.0","result":1,"id":1}"#, #"{"jsonrpc":"2.0","result":1,"id":{}}"#,
        #"{"jsonrpc":"2.0","result":1,"error":{"code":1,"message":""},"id":1}"#,
        #"{"jsonrpc":"2.0","error":{"code":"1","message":""},"id":1}"#, #"{"jsonrpc":"2.0","error":1,"id":1}"#,
        #"{"jsonrpc":"2.0","error":{"code":1},"id":1}"#, #"{"jsonrpc":"2.0","result":1,"id":1}x"#,
    ])
    func whatIsNoResponseIsRefused(body: String) {
        #expect(throws: RPCResponseError.self) { try RPCResponse(Array(body.utf8)) }
    }

    @Test func clientAndServerUnderstandEachOther() async throws {
        let server = Calculator().server()
        let requests = [
            RPCRequest("sum", params: [1, 2, 3], id: "a"), RPCRequest("fail", id: 5), RPCRequest("echo", id: nil),
        ]
        let body = try #require(await server.respond(to: RPCRequest.serialized(batch: requests), context: 0))
        let responses = try RPCResponse.batch(body)
        #expect(responses.map(\.id) == ["a", 5])
        #expect(try responses[0].result.get() == 6)
        #expect(throws: JSONRPCError.self) { try responses[1].result.get() }
    }
}
