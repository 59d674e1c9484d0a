import JSON
import Testing

@Suite struct JSONElementsTests {
    @Test func elementsAreFoundAsPlaces() throws {
        let bytes = Array(#" [1, "a\n", {"x":[7,8]}, null ,[]] "#.utf8)
        let elements = try JSONElements(bytes)
        #expect(elements.count == 5)
        #expect(elements.tokens.map(\.kind) == [.number, .string, .object, .null, .array])
        #expect(elements.tokens.map { String(decoding: bytes[$0.range], as: UTF8.self) }[1] == #""a\n""#)
        #expect(JSONScanner(elements.tokens[0], in: bytes) == nil)
        var scanner = try #require(JSONScanner(elements.tokens[2], in: bytes))
        let member = try #require(try scanner.next())
        #expect(JSONElements(member.value, in: bytes)?.tokens.map { scanner.int64($0) } == [7, 8])
        #expect(JSONElements(elements.tokens[0], in: bytes) == nil)
    }

    @Test func elementsBeyondTheLimitAreOnlyCountedButStillChecked() throws {
        let elements = try JSONElements(Array("[1,2,3,4]".utf8), limit: 2)
        #expect(elements.tokens.count == 2)
        #expect(elements.count == 4)
        #expect(throws: JSONSyntaxError.self) { try JSONElements(Array("[1,2,3,x]".utf8), limit: 2) }
        #expect(try JSONElements(Array("[ ]".utf8)).count == 0)
    }

    @Test func otherDocumentsAreRefused() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONElements(Array("{}".utf8)) }
        #expect(error?.reason == .notAnArray)
    }
}
