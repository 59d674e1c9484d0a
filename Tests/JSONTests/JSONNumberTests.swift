import JSON
import Testing

@Suite struct JSONNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1.0", 1), ("1e2", 100), ("1.5e1", 15), ("1500e-2", 15),
            ("0e999999999999999999999", 0), ("0.000", 0), ("1e0", 1), ("1E+18", 1_000_000_000_000_000_000),
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", Int64.max),
            ("-9223372036854775808", Int64.min), ("0.00000000000000000000000001e26", 1),
            ("9223372036854775807.000", Int64.max), ("1000000000000000000000e-3", 1_000_000_000_000_000_000),
        ] as [(String, Int64)]
    )
    func integralNumbersAreIntegers(text: String, expected: Int64) throws {
        #expect(try #require(JSONNumber(text)).int64 == expected)
    }

    @Test(arguments: [
        "1.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e999999999999999999999", "-1e400",
        "1e-999999999999999999999", "123456789012345678901234567890", "0.1",
    ])
    func otherNumbersAreNoIntegers(text: String) throws {
        #expect(try #require(JSONNumber(text)).int64 == nil)
    }

    @Test(arguments: ["", "-", "+1", "01", "1.", ".1", "1e", "1 ", " 1", "0x1", "1,0", "١", "NaN"])
    func textOutsideTheGrammarIsNoNumber(text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test func textIsKeptAsSent() throws {
        for text in ["9007199254740993", "1.5", "1e2", "-0.0", "1.500"] {
            #expect(try JSONParser.parse(text).serialized() == Array(text.utf8))
        }
    }

    @Test func doublesAreTheNearestAndFinite() throws {
        #expect(try #require(JSONNumber("0.1")).double == 0.1)
        #expect(try #require(JSONNumber("1e2")).double == 100)
        #expect(try #require(JSONNumber("1e400")).double == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(Double.infinity) == nil)
        for value in [0.1, -1e300, Double.leastNonzeroMagnitude, 1e16, 123456.789, -0.0] {
            let number = try #require(JSONNumber(value))
            #expect(try JSONParser.parse(number.text).doubleValue == value)
        }
    }
}
