import JSON
import JSONRPC
import Testing

@Suite struct RPCServerTests {
    /// The examples of JSON-RPC 2.0 section 7, as printed there but for the text of the quotation marks' spacing.
    @Test(
        arguments: [
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
                #"{"jsonrpc": "2.0", "result": 19, "id": 1}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
                #"{"jsonrpc": "2.0", "result": -19, "id": 2}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
                #"{"jsonrpc": "2.0", "result": 19, "id": 3}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
                #"{"jsonrpc": "2.0", "result": 19, "id": 4}"#
            ),
            (#"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#, nil),
            (#"{"jsonrpc": "2.0", "method": "foobar"}"#, nil),
            (
                #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
                #"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
                #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
                #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}"#
            ),
            (
                """
                [
                  {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
                  {"jsonrpc": "2.0", "method"
                ]
                """,
                #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#
            ),
            ("[]", #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}"#),
            ("[1]", #"[{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]"#),
            (
                "[1,2,3]",
                """
                [
                  {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                  {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                  {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}
                ]
                """
            ),
            (
                """
                [
                  {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
                  {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
                  {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
                  {"foo": "boo"},
                  {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
                  {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
                ]
                """,
                """
                [
                  {"jsonrpc": "2.0", "result": 7, "id": "1"},
                  {"jsonrpc": "2.0", "result": 19, "id": "2"},
                  {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                  {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "5"},
                  {"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}
                ]
                """
            ),
            (
                """
                [
                  {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
                  {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
                ]
                """,
                nil
            ),
        ] as [(String, String?)]
    )
    func examplesOfTheSpecification(request: String, expected: String?) async throws {
        let answer = await Calculator().server().respond(to: Array(request.utf8), context: 0)
        #expect(try answer.map { try JSONParser.parse($0) } == (try expected.map { try JSONParser.parse($0) }))
    }

    @Test(arguments: [
        ("", -32700, "null"), (" ", -32700, "null"), ("{", -32700, "null"), ("{}x", -32700, "null"),
        ("nul", -32700, "null"), ("[1,]", -32700, "null"), ("\u{FEFF}{}", -32700, "null"), ("[1", -32700, "null"),
        (#"{"jsonrpc":"2.0","method":"sum","id":1,}"#, -32700, "null"),
        (#"{"jsonrpc":"2.0","method":"sum","id":01}"#, -32700, "null"),
        (#"{"jsonrpc":"2.0","method":"sum","id":1} {}"#, -32700, "null"),
        ("1", -32600, "null"), ("\"x\"", -32600, "null"), ("null", -32600, "null"), ("{}", -32600, "null"),
        (#"{"method":"sum","id":1}"#, -32600, "1"), (#"{"jsonrpc":"1.0","method":"sum","id":1}"#, -32600, "1"),
        (#"{"jsonrpc":2.0,"method":"sum","id":1}"#, -32600, "1"), (#"{"jsonrpc":"2.0","id":1}"#, -32600, "1"),
        (#"{"jsonrpc":"2.0","method":null,"id":1}"#, -32600, "1"),
        (#"{"jsonrpc":"2.0","method":"sum","params":null,"id":1}"#, -32600, "1"),
        (#"{"jsonrpc":"2.0","method":"sum","params":"x","id":1}"#, -32600, "1"),
        (#"{"jsonrpc":"2.0","method":"sum","params":1,"id":"a"}"#, -32600, "\"a\""),
        (#"{"jsonrpc":"2.0","method":"sum","params":true}"#, -32600, "null"),
        (#"{"jsonrpc":"2.0","method":"sum","id":{}}"#, -32600, "null"),
        (#"{"jsonrpc":"2.0","method":"sum","id":[1]}"#, -32600, "null"),
        (#"{"jsonrpc":"2.0","method":"sum","id":true}"#, -32600, "null"),
        (#"{"jsonrpc":"2.0","method":"rpc.unknown","id":1}"#, -32601, "1"),
        (#"{"jsonrpc":"2.0","method":"","id":1}"#, -32601, "1"),
        (#"{"jsonrpc":"2.0","method":"sum","params":["x"],"id":1}"#, -32602, "1"),
        (#"{"jsonrpc":"2.0","method":"fail","id":1}"#, 17, "1"),
    ])
    func malformedBodiesGetTheirCodeAndID(body: String, code: Int64, id: String) async throws {
        let answer = try #require(await Calculator().server().respond(to: Array(body.utf8), context: 0))
        let value = try JSONParser.parse(answer)
        #expect(value["error"]?["code"]?.int64Value == code)
        #expect(value["id"]?.description == id)
        #expect(value["result"] == nil)
        #expect(value["jsonrpc"] == "2.0")
    }

    @Test(arguments: [
        "1", "0", "-1", "9007199254740993", "1.5", "1e0", "1.0", "-0", "123456789012345678901234567890", "\"7\"",
        "\"\"",
        "null", #""\u0041\n""#, "\"é\"",
    ])
    func idsAreEchoedExactlyAsSent(id: String) async {
        for (body, expected) in [
            (#"{"id": \#(id) ,"method":"echo","jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","result":null,"id":\#(id)}"#),
            (#"[{"jsonrpc":"2.0","method":"echo","id":\#(id)}]"#, #"[{"jsonrpc":"2.0","result":null,"id":\#(id)}]"#),
            (
                #"{"jsonrpc":"2.0","method":"no","id":\#(id)}"#,
                #"{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":\#(id)}"#
            ),
        ] {
            let answer = await Calculator().server().respond(to: Array(body.utf8), context: 0)
            #expect(answer.map { String(decoding: $0, as: UTF8.self) } == expected)
        }
    }

    @Test(arguments: ["sum", "missing", "fail"])
    func notificationsAreNeverAnsweredNotEvenWithAnError(method: String) async {
        let server = Calculator().server()
        let single = #"{"jsonrpc":"2.0","method":"\#(method)","params":["x"]}"#
        #expect(await server.respond(to: Array(single.utf8), context: 0) == nil)
        #expect(await server.respond(to: Array("[\(single),\(single)]".utf8), context: 0) == nil)
    }

    @Test func unknownMembersAreIgnoredAndTheLastOfADuplicateCounts() async {
        let body = #"{"x":{"id":9},"id":1,"jsonrpc":"1.0","jsonrpc":"2.0","method":"no","m\u0065thod":"echo","id":2}"#
        let answer = await Calculator().server().respond(to: Array(body.utf8), context: 0)
        #expect(answer == Array(#"{"jsonrpc":"2.0","result":null,"id":2}"#.utf8))
    }

    @Test func onlyCallsThatAreNotAnsweredAtOnceAreLater() async {
        let server = Calculator().server()
        func isNow(_ body: String) -> Bool {
            if case .now = server.reply(to: Array(body.utf8), context: 0) { true } else { false }
        }
        #expect(isNow(#"{"jsonrpc":"2.0","method":"echo","id":1}"#))
        #expect(isNow(#"{"jsonrpc":"2.0","method":"missing","id":1}"#))
        #expect(isNow("x"))
        #expect(!isNow(#"{"jsonrpc":"2.0","method":"sum","params":[1],"id":1}"#))
        #expect(isNow(#"{"jsonrpc":"2.0","method":"cached","params":[1],"id":1}"#))
        #expect(!isNow(#"{"jsonrpc":"2.0","method":"cached","params":[2],"id":1}"#))
        let body = Array(#"{"jsonrpc":"2.0","method":"cached","params":[2],"id":1}"#.utf8)
        let answer = await server.respond(to: body, context: 5)
        #expect(answer == Array(#"{"jsonrpc":"2.0","result":"slow 5","id":1}"#.utf8))
    }
}
