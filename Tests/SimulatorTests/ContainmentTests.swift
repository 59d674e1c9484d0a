import JSON
import Simulator
import Testing

@Suite struct ContainmentTests {
    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1,"b":2}"#),
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"c":1,"d":2},"e":3},"f":4}"#),
        (#"{}"#, #"{"a":1}"#),
        (#"{"a":null}"#, #"{"a":null}"#),
        (#"{"a":null}"#, #"{"b":1}"#),
        (#"{"a":{"b":null}}"#, #"{"a":{}}"#),
        (#"{"a":[1,2]}"#, #"{"a":[1,2]}"#),
        (#"{"a":[{"b":1}]}"#, #"{"a":[{"b":1.0}]}"#),
        (#"1"#, #"1.0"#),
        (#"100"#, #"1e2"#),
        (#"0.5"#, #"5E-1"#),
        (#"-0"#, #"0"#),
        (#"9007199254740993"#, #"9007199254740993.0"#),
        (#"123456789012345678901234567890"#, #"123456789012345678901234567890.0"#),
        (#""a""#, #""a""#),
    ])
    func isContained(expected: String, found: String) {
        #expect(Containment.difference(Fixtures.json(expected), in: Fixtures.json(found)) == nil)
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":2}"#, "/a"),
        (#"{"a":1}"#, #"{}"#, "/a"),
        (#"{"a":1}"#, #"{"a":"1"}"#, "/a"),
        (#"{"a":null}"#, #"{"a":false}"#, "/a"),
        (#"{"a":{"b":1}}"#, #"{"a":{"b":2}}"#, "/a/b"),
        (#"{"a":{"b":1}}"#, #"{"a":null}"#, "/a"),
        (#"{"a":{}}"#, #"{}"#, "/a"),
        (#"{"a":[1,2]}"#, #"{"a":[2,1]}"#, "/a"),
        (#"{"a":[1]}"#, #"{"a":[1,2]}"#, "/a"),
        (#"{"a":[{"b":1}]}"#, #"{"a":[{"b":1,"c":2}]}"#, "/a"),
        (#"{"a":false}"#, #"{"a":0}"#, "/a"),
        (#"9007199254740993"#, #"9007199254740992"#, ""),
        (#"0.1"#, #"0.10000000000000000001"#, ""),
        (#""a""#, #""b""#, ""),
        (#"{}"#, #"[]"#, ""),
    ])
    func isNotContained(expected: String, found: String, pointer: String) {
        #expect(Containment.difference(Fixtures.json(expected), in: Fixtures.json(found))?.pointer == pointer)
    }

    @Test func aMissingValueIsADifferenceUnlessNullIsExpected() {
        #expect(Containment.difference(["a": 1], in: nil)?.pointer == "")
        #expect(Containment.difference(nil, in: nil) == nil)
    }
}
