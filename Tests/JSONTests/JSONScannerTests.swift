import JSON
import Testing

@Suite struct JSONScannerTests {
    @Test func membersAreDecodedOnDemand() throws {
        let text = #" {"s":"x\n","i":1e2,"f":1.5,"t":true,"n":null,"a":[1,{"b":2}],"o":{"in":{"k":7}},"é":""} "#
        var scanner = try JSONScanner(Array(text.utf8))
        var seen: [String] = []
        while let member = try scanner.next() {
            let key = scanner.text(member.key)
            seen.append(key)
            switch key {
            case "s":
                #expect(scanner.string(member.value) == "x\n")
                #expect(scanner.plainString(member.value) == nil)
                #expect(scanner.isString(member.value, "x\n"))
                #expect(scanner.int64(member.value) == nil)
            case "i":
                #expect(scanner.int64(member.value) == 100)
                #expect(scanner.number(member.value)?.text == "1e2")
                #expect(scanner.string(member.value) == nil)
            case "f": #expect(scanner.int64(member.value) == nil)
            case "t": #expect(scanner.bool(member.value) == true)
            case "n": #expect(member.value.kind == .null)
            case "a":
                #expect(scanner.raw(member.value) == Array(#"[1,{"b":2}]"#.utf8)[...])
                #expect(scanner.tree(member.value) == [1, ["b": 2]])
                #expect(scanner.object(member.value) == nil)
            case "o":
                var outer = try #require(scanner.object(member.value))
                let inner = try #require(try outer.next())
                var innermost = try #require(outer.object(inner.value))
                let last = try #require(try innermost.next())
                #expect(innermost.int64(last.value) == 7)
                #expect(try innermost.next() == nil)
                #expect(try outer.next() == nil)
            default:
                #expect(scanner.plainString(member.value) == [])
                #expect(scanner.isString(member.value, ""))
            }
        }
        #expect(seen == ["s", "i", "f", "t", "n", "a", "o", "é"])
        #expect(try scanner.next() == nil)
    }

    @Test(arguments: ["[]", "1", "\"x\"", "null"])
    func otherDocumentsAreRefused(text: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONScanner(Array(text.utf8)) }
        #expect(error?.reason == .notAnObject)
    }

    @Test func whatFollowsTheObjectIsChecked() throws {
        var scanner = try JSONScanner(Array("{\"a\":1} x".utf8))
        #expect(try scanner.next() != nil)
        #expect(throws: JSONSyntaxError.self) { try scanner.next() }
    }

    @Test func namesAreFoundByTable() throws {
        let names = ["transactionId", "originalTransactionId", "purchaseDate", "expiresDate", "", "é", "a/b"]
        let table = JSONKeyTable(names)
        var scanner = try JSONScanner(
            Array(#"{"expiresDate":1,"":1,"é":1,"expiresDatE":1,"a\/b":1,"x":1,"transactionId":1}"#.utf8)
        )
        var found: [String?] = []
        while let member = try scanner.next() {
            found.append(table.index(of: member.key, in: scanner).map { names[$0] })
        }
        #expect(found == ["expiresDate", "", "é", nil, "a/b", nil, "transactionId"])
    }

    @Test func scannerAndParserGiveTheSameMembers() throws {
        var random = RandomTrees()
        for _ in 0..<500 {
            let object = random.object(depth: 3)
            var scanner = try JSONScanner(JSONValue.object(object).serialized())
            var members: [JSONObject.Member] = []
            while let member = try scanner.next() {
                members.append(
                    JSONObject.Member(key: scanner.text(member.key), value: scanner.tree(member.value))
                )
            }
            #expect(members.map(\.key) == object.keys, "seed \(random.seed)")
            #expect(members.map(\.value) == object.members.map(\.value), "seed \(random.seed)")
        }
    }
}
