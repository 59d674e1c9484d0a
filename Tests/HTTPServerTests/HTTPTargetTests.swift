import HTTPServer
import Testing

@Suite struct HTTPTargetTests {
    @Test(arguments: [
        ("/", "/"), ("/rpc", "/rpc"), ("/a?b=c", "/a"), ("/a%20b%2Fc", "/a b/c"), ("/%25%32%35", "/%25"),
        ("/%zz%4", "/%zz%4"), ("/%E2%82%AC", "/€"), ("/%FF", "/\u{FFFD}"), ("/a+b", "/a+b"), ("?x", "/"), ("*", "*"),
        ("http://example.com/rpc?x=1", "/rpc"), ("HTTP://example.com", "/"), ("https://example.com?x=/y", "/"),
        ("/a?b?c", "/a"), ("/%00", "/\u{0}"),
    ])
    func pathIsDecodedOnce(target: String, path: String) {
        let request = HTTPRequest(method: .get, target: target)
        #expect(request.path == path)
        #expect(request.target == target)
    }

    @Test func queryIsTakenApart() {
        let request = HTTPRequest(method: .get, target: "/x?a=1&b=&c&a=2&d=%26%3D+x%2B&&=e")
        let expected: [(String, String?)] = [
            ("a", "1"), ("b", ""), ("c", nil), ("a", "2"), ("d", "&= x+"), ("", "e"),
        ]
        #expect(request.queryItems == expected.map { HTTPQueryItem(name: $0.0, value: $0.1) })
        #expect(request.query("a") == "1")
        #expect(request.query("c") == nil)
        #expect(HTTPRequest(method: .get, target: "/x").queryItems.isEmpty)
    }

    @Test func fieldsOfARequestMadeByHandAreFoundInAnyCase() {
        let request = HTTPRequest(method: .post, target: "/", headers: [HTTPField("Content-Type", "a/b")])
        #expect(request.header("content-TYPE") == "a/b")
        #expect(request.header("Content-Typ") == nil)
        #expect(request.headers.all == [HTTPField("Content-Type", "a/b")])
    }
}
