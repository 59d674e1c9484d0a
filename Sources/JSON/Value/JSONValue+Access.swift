extension JSONValue {
    /// The members, when this is an object.
    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The elements, when this is an array.
    package var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The text, when this is a string.
    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The exact integer, when this is a number with an integral value that fits; see `JSONNumber.int64`.
    package var int64Value: Int64? {
        if case .number(let value) = self { value.int64 } else { nil }
    }

    /// The nearest finite double, when this is a number.
    package var doubleValue: Double? {
        if case .number(let value) = self { value.double } else { nil }
    }

    /// The truth value, when this is `true` or `false`.
    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// Whether this is `null`.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The member of that name, when this is an object that has it; the last one of several.
    package subscript(key: String) -> JSONValue? {
        if case .object(let value) = self { value[key] } else { nil }
    }

    /// The element at that place, when this is an array that reaches so far.
    package subscript(index: Int) -> JSONValue? {
        if case .array(let value) = self, value.indices.contains(index) { value[index] } else { nil }
    }

    /// The kind of value in the words of the standard, for messages.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
