import EntitlementDomain
import JSON

extension CatalogReader {
    /// The longest text, in UTF-8 bytes: ids are keys of database indexes.
    private static let textLimit = 256
    /// The most units that one product credits, so that sums of many stay far from the limits of 64 bits.
    private static let unitLimit: Int64 = 1_000_000_000_000

    /// The elements of a list; none when it is absent.
    mutating func readList(_ value: JSONValue?, at path: [JSONPathElement], of what: String) -> [JSONValue] {
        guard let value else { return [] }
        if let list = value.arrayValue { return list }
        report(path, "must be an array of \(what), not \(value.phrase)")
        return []
    }

    mutating func readText(_ value: JSONValue?, at path: [JSONPathElement], required: Bool = false) -> String? {
        guard let value else {
            if required { report(path, "is missing") }
            return nil
        }
        // U+0000 cannot be stored: PostgreSQL's jsonb refuses it, and what replaces it would be another id.
        guard let text = value.stringValue, (1...Self.textLimit).contains(text.utf8.count), !text.utf8.contains(0)
        else {
            report(path, "must be text of 1 to \(Self.textLimit) bytes")
            return nil
        }
        return text
    }

    /// One of a few words.
    mutating func readName(
        _ value: JSONValue?,
        at path: [JSONPathElement],
        of known: [String],
        required: Bool = false
    ) -> String? {
        guard let text = readText(value, at: path, required: required) else { return nil }
        if known.contains(text) { return text }
        report(path, "\"\(text)\" is not known here; known: \(known.joined(separator: ", "))")
        return nil
    }

    mutating func readFlag(_ value: JSONValue?, at path: [JSONPathElement]) -> Bool {
        guard let value else { return false }
        if let flag = value.boolValue { return flag }
        report(path, "must be true or false, not \(value.phrase)")
        return false
    }

    mutating func readPositive(
        _ value: JSONValue?,
        at path: [JSONPathElement],
        limit: Int64 = unitLimit
    ) -> Int64? {
        guard let value else { return nil }
        if let number = value.int64Value, (1...limit).contains(number) { return number }
        report(path, "must be a whole number from 1 to \(limit)")
        return nil
    }

    mutating func readDuration(
        _ value: JSONValue?,
        at path: [JSONPathElement],
        mayBeZero: Bool = false
    ) -> CalendarDuration? {
        guard let value else { return nil }
        if let duration = value.stringValue.flatMap({ CalendarDuration(iso8601: $0) }), mayBeZero || !duration.isZero {
            return duration
        }
        report(path, "must be an ISO 8601 duration such as \"P1M\" or \"P30D\"")
        return nil
    }
}

extension JSONValue {
    /// The kind of value in a sentence: "an object", "a string", "null".
    var phrase: String {
        switch self {
        case .null: kindName
        case .array, .object: "an \(kindName)"
        case .bool, .number, .string: "a \(kindName)"
        }
    }
}
