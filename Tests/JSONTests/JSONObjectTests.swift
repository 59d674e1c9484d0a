import JSON
import Testing

@Suite struct JSONObjectTests {
    @Test func theLastOfSeveralMembersIsRead() throws {
        let object = try #require(try JSONParser.parse(#"{"a":1,"b":2,"a":3}"#).objectValue)
        #expect(object["a"] == 3)
        #expect(object.keys == ["a", "b", "a"])
        #expect(object["c"] == nil)
    }

    @Test func settingKeepsThePlaceAndDropsDuplicates() throws {
        var object = try #require(try JSONParser.parse(#"{"a":1,"b":2,"a":3}"#).objectValue)
        object["a"] = 4
        object.set("c", 5)
        #expect(JSONValue.object(object).description == #"{"a":4,"b":2,"c":5}"#)
        #expect(object.remove("b") == 2)
        #expect(object.remove("b") == nil)
        object["a"] = nil
        #expect(JSONValue.object(object).description == #"{"c":5}"#)
    }

    @Test func canonicallyEquivalentNamesAreDifferentNames() {
        let object: JSONObject = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(object["\u{E9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    }

    @Test func equalityIgnoresOrderAndOverriddenDuplicates() throws {
        let left = try JSONParser.parse(#"{"a":1,"b":{"x":1,"y":2}}"#)
        let right = try JSONParser.parse(#"{"b":{"y":2,"x":1},"a":0,"a":1}"#)
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != (try JSONParser.parse(#"{"a":1,"b":{"x":1,"y":3}}"#)))
        #expect(left != (try JSONParser.parse(#"{"a":1}"#)))
    }

    @Test func accessorsGiveNilForOtherKinds() {
        let value: JSONValue = ["s": "x", "i": 7, "d": 1.5, "b": true, "n": nil, "a": [1, 2]]
        #expect(value["s"]?.stringValue == "x")
        #expect(value["i"]?.int64Value == 7)
        #expect(value["d"]?.doubleValue == 1.5)
        #expect(value["d"]?.int64Value == nil)
        #expect(value["b"]?.boolValue == true)
        #expect(value["n"]?.isNull == true)
        #expect(value["a"]?[1] == 2)
        #expect(value["a"]?[2] == nil)
        #expect(value["s"]?.int64Value == nil)
        #expect(value["i"]?.stringValue == nil)
        #expect(value["x"] == nil)
    }
}
