import JSON
import Testing

@Suite struct JSONWriterTests {
    @Test func everyKindOfValueIsWritten() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("text", "a\"\\\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}/é😀")
        writer.member("min", Int64.min)
        writer.member("zero", 0)
        writer.member("flag", true)
        writer.member("none", nil as String?)
        writer.member("some", "x" as String?)
        writer.key("list")
        writer.beginArray()
        writer.double(1.5)
        writer.double(.nan)
        writer.null()
        writer.raw(Array("[1,2]".utf8))
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.endArray()
        writer.key("tree")
        writer.value(["a": [1, nil]])
        writer.endObject()
        let expected =
            #"{"text":"a\"\\\b\f\n\r\t\u0001\u001f"# + "\u{7F}"
            + #"/é😀","min":-9223372036854775808,"zero":0,"flag":true,"none":null,"some":"x","#
            + #""list":[1.5,null,null,[1,2],{},[]],"tree":{"a":[1,null]}}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test func membersComeAgainElsewhere() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("a", 1)
        let start = writer.bytes.count
        writer.member("b", "é")
        writer.member("c", true)
        let members = start..<writer.bytes.count
        writer.key("again")
        writer.beginArray()
        for _ in 0..<2 {
            writer.beginObject()
            writer.repeatMembers(members)
            writer.member("d", 2)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        let expected = #"{"a":1,"b":"é","c":true,"again":[{"b":"é","c":true,"d":2},{"b":"é","c":true,"d":2}]}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test func prettyFormIndentsByTwoSpaces() {
        let value: JSONValue = ["a": [1, [:], []], "b": ["c": "x"]]
        let expected = """
            {
              "a": [
                1,
                {},
                []
              ],
              "b": {
                "c": "x"
              }
            }
            """
        #expect(String(decoding: value.prettySerialized(), as: UTF8.self) == expected)
    }
}
