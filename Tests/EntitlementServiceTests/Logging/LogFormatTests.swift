import JSON
import Testing

@testable import EntitlementService

@Suite struct LogFormatTests {
    private static let fields: ServiceLog.Fields = [
        ("a", "plain"), ("b", "two words\nand \"a line\""), ("c", 7), ("d", ["x": "y"]), ("e", ""), ("f", "x=y"),
    ]

    @Test func aLineOfJSONIsOneObject() throws {
        let bytes = LogFormat.json.line(.warning, "some\nthing", Self.fields, at: Samples.date("2026-03-01T00:00:00Z"))
        #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let value = try JSONParser.parse(bytes)
        #expect(value["time"] == "2026-03-01T00:00:00.000Z")
        #expect(value["level"] == "warning")
        #expect(value["message"] == "some\nthing")
        #expect(value["b"] == "two words\nand \"a line\"")
        #expect(value["d"]?["x"] == "y")
    }

    @Test func aLineForPeopleIsOneLineWhateverIsInIt() {
        let bytes = LogFormat.text.line(.info, "some\nthing", Self.fields, at: Samples.date("2026-03-01T00:00:00Z"))
        let expected =
            #"2026-03-01T00:00:00.000Z INFO some thing a=plain b="two words\nand \"a line\"" c=7 d={"x":"y"} e="" f="x=y""#
        #expect(String(decoding: bytes, as: UTF8.self) == expected + "\n")
    }
}
