import EntitlementDomain
import JSON

extension StoreKitReader {
    /// An element of a list and its place.
    typealias Element = (value: JSONValue, path: [JSONPathElement])

    /// The longest text that is taken over, in UTF-8 bytes: identifiers are keys of database indexes.
    static let textLimit = 256

    /// The elements of a list; none when it is absent or null.
    mutating func list(_ object: JSONObject, _ key: String, at path: [JSONPathElement] = []) -> [Element] {
        let path = path + [.key(key)]
        guard let value = object[key], !value.isNull else { return [] }
        guard let list = value.arrayValue else {
            report(path, "must be an array, not \(value.phrase)")
            return []
        }
        return list.enumerated().map { ($0.element, path + [.index($0.offset)]) }
    }

    /// The members of an element.
    mutating func members(_ value: JSONValue, at path: [JSONPathElement]) -> JSONObject? {
        if let object = value.objectValue { return object }
        report(path, "must be an object, not \(value.phrase)")
        return nil
    }

    /// A text that must be there.
    mutating func requiredText(_ object: JSONObject, _ key: String, at path: [JSONPathElement]) -> String? {
        guard let value = required(object, key, at: path) else { return nil }
        let text = value.stringValue
        guard let text, (1...Self.textLimit).contains(text.utf8.count), !text.utf8.contains(0) else {
            report(path + [.key(key)], "must be text of 1 to \(Self.textLimit) bytes")
            return nil
        }
        return text
    }

    /// A text for people; nil when it is absent or empty. What is too long is cut.
    mutating func name(_ object: JSONObject, _ key: String, at path: [JSONPathElement]) -> String? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let text = value.stringValue, !text.utf8.contains(0) else {
            report(path + [.key(key)], "must be text, not \(value.phrase)")
            return nil
        }
        var name = text
        while name.utf8.count > Self.textLimit { name.removeLast() }
        return name.isEmpty ? nil : name
    }

    /// A truth value; false when it is absent.
    mutating func flag(_ object: JSONObject, _ key: String, at path: [JSONPathElement], absent: Bool = false) -> Bool {
        guard let value = object[key], !value.isNull else { return absent }
        if let flag = value.boolValue { return flag }
        report(path + [.key(key)], "must be true or false, not \(value.phrase)")
        return absent
    }

    /// A whole number from 1, at most 9999.
    mutating func wholeNumber(_ value: JSONValue, at path: [JSONPathElement], _ hint: String = "") -> Int? {
        if let number = value.int64Value, (1...9_999).contains(number) { return Int(number) }
        report(path, "must be a whole number from 1\(hint)")
        return nil
    }

    /// An ISO 8601 duration that must be there, as written.
    mutating func duration(_ object: JSONObject, _ key: String, at path: [JSONPathElement]) -> String? {
        guard let value = required(object, key, at: path) else { return nil }
        if let text = value.stringValue, let duration = CalendarDuration(iso8601: text), !duration.isZero {
            return text
        }
        report(path + [.key(key)], "must be an ISO 8601 duration such as \"P1M\"")
        return nil
    }

    /// A member that must be there; null counts as absent.
    mutating func required(_ object: JSONObject, _ key: String, at path: [JSONPathElement]) -> JSONValue? {
        if let value = object[key], !value.isNull { return value }
        let similar = object.keys.first { $0 != key && $0.lowercased() == key.lowercased() }
        report(path + [.key(key)], "is missing" + (similar.map { "; \"\($0)\" is not how Xcode spells it" } ?? ""))
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
