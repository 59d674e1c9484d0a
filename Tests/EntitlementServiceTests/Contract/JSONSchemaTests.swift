import JSON
import SchemaTesting
import Testing

/// The validator that the tests of the contract rest on.
@Suite struct JSONSchemaTests {
    @Test(
        arguments: [
            (["type": "integer"], 1, true), (["type": "integer"], 1.5, false),
            (["type": ["string", "null"]], nil, true),
            (["type": ["string", "null"]], 1, false), (["enum": ["a", nil]], nil, true), (["enum": ["a"]], "b", false),
            (["minimum": 1, "maximum": 2], 2, true), (["minimum": 1], 0, false), (["maximum": 2], 3, false),
            (["minLength": 1, "maxLength": 2], "é", true), (["minLength": 1], "", false),
            (["maxLength": 2], "abc", false),
            (["pattern": "^a+$"], "aa", true), (["pattern": "^a+$"], "ab", false),
            (["format": "date-time"], "2026-03-01T00:00:00.000Z", true), (["format": "date-time"], "2026-03-01", false),
            (["format": "uuid"], "11111111-1111-4111-8111-111111111111", true), (["format": "uuid"], "1111", false),
            (["format": "colour"], "red", false), (["required": ["a"]], ["a": 1], true),
            (["required": ["a"]], [:], false),
            (["properties": ["a": ["type": "string"]]], ["a": 1], false),
            (["properties": ["a": true], "additionalProperties": false], ["b": 1], false),
            (["additionalProperties": ["type": "integer"]], ["b": 1], true),
            (["additionalProperties": ["type": "integer"]], ["b": "1"], false),
            (["patternProperties": ["^x-": true], "additionalProperties": false], ["x-a": 1], true),
            (["items": ["type": "string"]], ["a", 1], false), (["minItems": 1], [], false),
            (["maxItems": 1], [1, 2], false),
            (["uniqueItems": true], [1, 1], false), (["anyOf": [["type": "string"], ["type": "null"]]], nil, true),
            (["oneOf": [["type": "string"], ["minLength": 1]]], "a", false),
            (["allOf": [["type": "string"]]], 1, false),
            (["not": ["type": "string"]], "a", false), (["colour": "red"], 1, false), (true, 1, true),
            (false, 1, false),
            (["$ref": "#/definitions/a", "definitions": ["a": ["type": "string"]]], 1, false),
            (["$ref": "#/definitions/a", "definitions": ["a": ["type": "string"]]], "a", true),
            (["$ref": "#/definitions/b"], 1, false),
        ] as [(JSONValue, JSONValue, Bool)]
    )
    func valuesAreToldFromOthers(schema: JSONValue, value: JSONValue, isFitting: Bool) {
        #expect(JSONSchema(schema).problems(of: value).isEmpty == isFitting)
    }

    @Test func aClosedSchemaAllowsNoMemberThatItDoesNotName() {
        let schema: JSONValue = ["properties": ["a": ["properties": ["b": true]]]]
        #expect(JSONSchema(schema).problems(of: ["a": ["c": 1]]) == [])
        #expect(JSONSchema(schema, isClosed: true).problems(of: ["a": ["c": 1]]) == ["$.a.c is not in the schema"])
    }
}
