import JSON
import TestKit
import Testing

@Suite struct JSONCanonicalFormTests {
    @Test(arguments: [
        (#" { "b" : 1 , "a" : [ 2 , 3 ] } "#, #"{"a": [2, 3], "b": 1}"#),
        (#"{"a":1,"a":{"z":1,"y":2}}"#, #"{"a": {"y": 2, "z": 1}}"#),
        // As in jsonb, length orders names before bytes do.
        (
            #"{"b":1,"aa":2,"":3,"é":4,"z":5,"😀":6,"\uFFFD":7}"#,
            #"{"": 3, "b": 1, "z": 5, "aa": 2, "é": 4, "�": 7, "😀": 6}"#
        ),
        // Names of one length that differ only behind their eighth byte, and a duplicate among them.
        (
            #"{"purchaseDateB":1,"purchaseDateA":2,"purchaseDate":3,"purchaseDateB":4}"#,
            #"{"purchaseDate": 3, "purchaseDateA": 2, "purchaseDateB": 4}"#
        ),
        (#""\u002f\u0041\u00e9\u0008\u000b\u001F\u007f""#, "\"/Aé\\b\\u000b\\u001f\u{7F}\""),
        (#""a\u0000b""#, "\"a\u{FFFD}b\""),
        (#"{"\u0000":1,"\uFFFD":2}"#, "{\"\u{FFFD}\": 2}"), (#"{"\uFFFD":2,"\u0000":1}"#, "{\"\u{FFFD}\": 1}"),
        (#""\ud800""#, "\"\u{FFFD}\""), ("[true,false,null]", "[true, false, null]"),
    ])
    func structureAndStringsHaveOneSpelling(text: String, expected: String) throws {
        #expect(String(decoding: try JSONParser.parse(text).canonicalBytes(), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-0.0", "0.0"), ("0.00", "0.00"), ("1", "1"), ("-1", "-1"), ("1.50", "1.50"),
        ("-1.50", "-1.50"), ("1e2", "100"), ("1.5e1", "15"), ("1.50e1", "15.0"), ("1E-2", "0.01"), ("-1e-2", "-0.01"),
        ("1.5e-3", "0.0015"), ("0e5", "0"), ("0e-5", "0.00000"), ("0.0e3", "0"), ("-0e-1", "0.0"), ("0.001e3", "1"),
        ("0.001e2", "0.1"), ("0.01230e1", "0.1230"), ("123.456e2", "12345.6"), ("123.456e3", "123456"),
        ("123.456e5", "12345600"), ("100e-2", "1.00"), ("1e+0", "1"), ("9007199254740993", "9007199254740993"),
        ("1e0000002", "100"), ("12345678901234567890.123456789", "12345678901234567890.123456789"),
    ])
    func numbersArePlainDecimals(text: String, expected: String) throws {
        #expect(String(decoding: try JSONParser.parse(text).canonicalBytes(), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("1e999", "1" + String(repeating: "0", count: 999)), ("1e1000", "\"1e1000\""), ("1e1001", "\"1e1001\""),
        ("1e-998", "0." + String(repeating: "0", count: 997) + "1"), ("1e-999", "\"1e-999\""),
        ("-1e99999999999999999999", "\"-1e99999999999999999999\""),
        (String(repeating: "7", count: 1000), String(repeating: "7", count: 1000)),
        (String(repeating: "7", count: 1001), "\"" + String(repeating: "7", count: 1001) + "\""),
    ])
    func unreasonablyLongNumbersBecomeText(text: String, expected: String) throws {
        let bytes = try JSONParser.parse(text).canonicalBytes()
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        #expect(try JSONParser.parse(bytes).canonicalBytes() == bytes)
    }

    @Test func canonicalTextIsAFixedPointAndKeepsTheMeaning() throws {
        var random = RandomTrees()
        for _ in 0..<1000 {
            let value = random.value(depth: 4)
            let canonical = value.canonicalBytes()
            let again = try JSONParser.parse(canonical)
            #expect(again.canonicalBytes() == canonical, "seed \(random.seed)")
            #expect(shuffled(value, &random.generator).canonicalBytes() == canonical, "seed \(random.seed)")
        }
    }

    /// The same value in another order of members, without overridden duplicates.
    private func shuffled(_ value: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { shuffled($0, &generator) })
        case .object(let object):
            var distinct = JSONObject()
            for member in object.members {
                let key = String(member.key.unicodeScalars.map { $0 == "\u{0}" ? "\u{FFFD}" : Character($0) })
                distinct[key] = shuffled(member.value, &generator)
            }
            return .object(JSONObject(distinct.members.shuffled(using: &generator)))
        default: return value
        }
    }
}
