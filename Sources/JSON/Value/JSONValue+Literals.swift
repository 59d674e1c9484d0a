extension JSONValue: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) { self = JSONValue(value) }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
    }
}

extension JSONValue {
    /// A number with the digits of the integer.
    package init(_ value: Int64) { self = .number(JSONNumber(value)) }

    /// A number with the digits of the integer.
    package init(_ value: Int) { self = .number(JSONNumber(Int64(value))) }

    /// A number with the shortest text that reads back as this value; `null` for an infinity or NaN, which JSON lacks.
    package init(_ value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }

    /// `true` or `false`.
    package init(_ value: Bool) { self = .bool(value) }

    /// A string.
    package init(_ value: String) { self = .string(value) }
}
