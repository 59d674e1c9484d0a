package import JSON

/// A JSON Schema (draft 7), as far as this product's documents use it. A keyword that it does not know is a problem of its
/// own, so nothing goes unchecked.
package struct JSONSchema: Sendable {
    private let schema: JSONValue
    /// What references begin with `#` lead into.
    private let root: JSONValue
    /// Whether an object may have no other members than the schema names, where the schema says nothing of others.
    private let isClosed: Bool

    package init(_ schema: JSONValue, in root: JSONValue? = nil, isClosed: Bool = false) {
        self.schema = schema
        self.root = root ?? schema
        self.isClosed = isClosed
    }

    /// What is wrong with a value, each with its place; empty: it is as the schema says.
    package func problems(of value: JSONValue, at place: String = "$") -> [String] {
        if let isAllowed = schema.boolValue { return isAllowed ? [] : ["\(place) must not be there"] }
        guard let keywords = schema.objectValue else { return ["the schema of \(place) is none"] }
        // In draft 7 nothing else counts beside a reference.
        if let reference = keywords["$ref"]?.stringValue {
            guard let target = resolve(reference) else { return ["\(reference) leads nowhere"] }
            return with(target).problems(of: value, at: place)
        }
        return keywords.members.flatMap { check($0.key, $0.value, value, place) }
    }

    func with(_ schema: JSONValue) -> JSONSchema {
        JSONSchema(schema, in: root, isClosed: isClosed)
    }

    /// The part of the document behind `#/a/b`.
    private func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#") else { return nil }
        var value: JSONValue? = root
        for part in reference.dropFirst().split(separator: "/") { value = value?[String(part)] }
        return value
    }

    private func check(_ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ place: String) -> [String] {
        switch keyword {
        case "$schema", "$id", "$comment", "title", "description", "default", "definitions", "examples": []
        case "type", "enum", "const": general(keyword, rule, value, place)
        case "allOf", "anyOf", "oneOf", "not": combination(keyword, rule, value, place)
        case "required", "properties", "patternProperties", "additionalProperties", "minProperties", "propertyNames":
            value.objectValue.map { members(keyword, rule, $0, place) } ?? []
        case "items", "minItems", "maxItems", "uniqueItems":
            value.arrayValue.map { elements(keyword, rule, $0, place) } ?? []
        case "minLength", "maxLength", "pattern", "format":
            value.stringValue.map { text(keyword, rule, $0, place) } ?? []
        case "minimum", "maximum", "exclusiveMinimum":
            value.doubleValue.map { number(keyword, rule, $0, place) } ?? []
        default: ["the schema of \(place) has the keyword \(keyword), which is not checked"]
        }
    }

    // MARK: Any value

    private func general(_ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ place: String) -> [String] {
        switch keyword {
        case "type":
            let types = (rule.arrayValue ?? [rule]).compactMap(\.stringValue)
            let isFitting = types.contains { $0 == value.kindName || $0 == "integer" && value.int64Value != nil }
            return isFitting
                ? [] : ["\(place) is of type \(value.kindName) and must be \(types.joined(separator: " or "))"]
        case "const": return value == rule ? [] : ["\(place) must be \(rule)"]
        default:
            return rule.arrayValue?.contains(value) == true ? [] : ["\(place) is \(value), which is none of \(rule)"]
        }
    }

    private func combination(_ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ place: String) -> [String] {
        if keyword == "not" { return with(rule).problems(of: value).isEmpty ? ["\(place) is what it must not be"] : [] }
        let branches = (rule.arrayValue ?? []).map { with($0).problems(of: value, at: place) }
        if keyword == "allOf" { return branches.flatMap { $0 } }
        let fitting = branches.count { $0.isEmpty }
        if fitting == 1 || keyword == "anyOf" && fitting > 0 { return [] }
        if fitting > 1 { return ["\(place) fits \(fitting) branches of oneOf"] }
        return ["\(place) fits no branch: " + branches.map { $0.joined(separator: ", ") }.joined(separator: " | ")]
    }

    // MARK: Objects

    private func members(_ keyword: String, _ rule: JSONValue, _ object: JSONObject, _ place: String) -> [String] {
        switch keyword {
        case "required":
            return (rule.arrayValue ?? []).compactMap(\.stringValue).filter { object[$0] == nil }
                .map { "\(place).\($0) is missing" }
        case "properties":
            var problems = object.members.flatMap { member in
                rule[member.key].map { with($0).problems(of: member.value, at: "\(place).\(member.key)") } ?? []
            }
            if isClosed, schema["additionalProperties"] == nil, schema["patternProperties"] == nil {
                problems += object.keys.filter { rule[$0] == nil }.map { "\(place).\($0) is not in the schema" }
            }
            return problems
        case "patternProperties":
            return object.members.flatMap { member in
                (rule.objectValue?.members ?? []).filter { Self.matches(member.key, $0.key) }
                    .flatMap { with($0.value).problems(of: member.value, at: "\(place).\(member.key)") }
            }
        case "additionalProperties":
            return object.members.filter { !isNamed($0.key) }
                .flatMap { with(rule).problems(of: $0.value, at: "\(place).\($0.key)") }
        case "propertyNames":
            return object.keys.flatMap { with(rule).problems(of: .string($0), at: "the name \(place).\($0)") }
        default:
            return object.count >= rule.int64Value ?? 0 ? [] : ["\(place) has too few members"]
        }
    }

    private func isNamed(_ key: String) -> Bool {
        schema["properties"]?[key] != nil
            || schema["patternProperties"]?.objectValue?.keys.contains { Self.matches(key, $0) } ?? false
    }

    // MARK: Arrays, text, numbers

    private func elements(_ keyword: String, _ rule: JSONValue, _ array: [JSONValue], _ place: String) -> [String] {
        switch keyword {
        case "items":
            array.enumerated().flatMap { with(rule).problems(of: $1, at: "\(place)[\($0)]") }
        case "minItems": array.count >= rule.int64Value ?? 0 ? [] : ["\(place) has too few items"]
        case "maxItems": array.count <= rule.int64Value ?? .max ? [] : ["\(place) has too many items"]
        default:
            rule.boolValue != true || Set(array).count == array.count ? [] : ["\(place) has an item twice"]
        }
    }

    private func text(_ keyword: String, _ rule: JSONValue, _ text: String, _ place: String) -> [String] {
        switch keyword {
        case "minLength":
            text.unicodeScalars.count >= rule.int64Value ?? 0 ? [] : ["\(place) is too short"]
        case "maxLength":
            text.unicodeScalars.count <= rule.int64Value ?? .max ? [] : ["\(place) is too long"]
        case "pattern":
            Self.matches(text, rule.stringValue ?? "") ? [] : ["\(place), \"\(text)\", does not match \(rule)"]
        default:
            TextFormat.isFitting(text, rule.stringValue ?? "")
                ? [] : ["\(place), \"\(text)\", is not in the format \(rule)"]
        }
    }

    private func number(_ keyword: String, _ rule: JSONValue, _ number: Double, _ place: String) -> [String] {
        let bound = rule.doubleValue ?? .nan
        let isWithin =
            switch keyword {
            case "minimum": number >= bound
            case "maximum": number <= bound
            default: number > bound
            }
        return isWithin ? [] : ["\(place), \(number), is not within its \(keyword) \(bound)"]
    }

    static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = try? Regex(pattern) else { return false }
        return text.firstMatch(of: regex) != nil
    }
}
