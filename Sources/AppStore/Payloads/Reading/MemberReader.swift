package import EntitlementDomain
package import JSON
import X509

/// Reads the members of one decoded App Store payload and never fails: what is absent, null or unusable is nil.
///
/// Every member is optional on the wire, and a signed statement must survive whatever it holds. A member that is
/// there but cannot be used is named in `unreadable`. Of several members with one name the last one counts.
package struct MemberReader {
    /// The longest identifier that is taken for one, in UTF-8 bytes; identifiers are keys of database indexes.
    package static let identifierLimit = 256

    private let members: [JSONObject.Member]
    /// One mark for each member, to pass over names that cannot be the one looked for.
    private let marks: [UInt32]
    /// The names of the members that are there but cannot be used, in the order in which they were asked for.
    package private(set) var unreadable: [String] = []

    package init(_ object: JSONObject) {
        members = object.members
        marks = members.map { Self.mark($0.key) }
    }

    /// The length and the first two and the last byte of a name.
    private static func mark(_ key: String) -> UInt32 {
        let bytes = key.utf8Span.span
        guard bytes.count > 1 else { return UInt32(bytes.count) }
        return UInt32(truncatingIfNeeded: bytes.count) | UInt32(bytes[bytes.count - 1]) << 8
            | UInt32(bytes[1]) << 16 | UInt32(bytes[0]) << 24
    }

    /// The value of a member; nil when it is absent or null.
    private func value(_ key: String) -> JSONValue? {
        let wanted = Self.mark(key)
        var index = marks.count - 1
        while index >= 0 {
            if marks[index] == wanted, members[index].key == key {
                // Not `? nil :`, as a bare nil would be JSON's null here.
                return members[index].value.isNull ? .none : .some(members[index].value)
            }
            index -= 1
        }
        return nil
    }

    private mutating func read<Result>(_ key: String, _ convert: (JSONValue) -> Result?) -> Result? {
        guard let value = value(key) else { return nil }
        if let result = convert(value) { return result }
        unreadable.append(key)
        return nil
    }

    /// A text, empty or not. U+0000, which PostgreSQL cannot store, makes it unreadable.
    package mutating func text(_ key: String) -> String? {
        read(key, Self.text)
    }

    private static func text(_ value: JSONValue) -> String? {
        guard case .string(let text) = value, text.utf8Span.span.firstOffset(of: 0) == nil else { return nil }
        return text
    }

    /// An identifier: a text that is not empty. A number is none, as identifiers pass the range of exact numbers.
    package mutating func identifier(_ key: String) -> String? {
        let text = read(key) { value in
            Self.text(value).flatMap { $0.utf8.count <= Self.identifierLimit ? $0 : nil }
        }
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A UUID in either case; an empty text counts as absent.
    package mutating func uuid(_ key: String) -> AccountID? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else {
            unreadable.append(key)
            return nil
        }
        if text.isEmpty { return nil }
        if let uuid = AccountID(text) { return uuid }
        unreadable.append(key)
        return nil
    }

    /// An integer of 64 bits: an app's Apple id, a count, or a price in thousandths of the currency's unit.
    package mutating func integer(_ key: String) -> Int64? {
        read(key) { $0.int64Value }
    }

    /// An integer of 32 bits: a count or the number of a case.
    package mutating func smallInteger(_ key: String) -> Int? {
        read(key) { $0.int64Value.flatMap { Int32(exactly: $0) }.map { Int($0) } }
    }

    /// True or false.
    package mutating func flag(_ key: String) -> Bool? {
        read(key) { $0.boolValue }
    }

    /// A time in milliseconds since 1970 within the years 1 ... 9999; fractions, which Xcode writes, are cut.
    package mutating func instant(_ key: String) -> Instant? {
        read(key) { value in
            guard case .number(let number) = value else { return nil }
            return Instant(payloadNumber: number)
        }
    }

    /// A value of an open set of texts; an empty one counts as absent.
    package mutating func name<Name: RawRepresentable>(
        _ key: String,
        as type: Name.Type = Name.self
    ) -> Name? where Name.RawValue == String {
        identifier(key).flatMap { Name(rawValue: $0) }
    }

    /// A value of an open set of numbers.
    package mutating func code<Code: RawRepresentable>(
        _ key: String,
        as type: Code.Type = Code.self
    ) -> Code? where Code.RawValue == Int {
        smallInteger(key).flatMap { Code(rawValue: $0) }
    }

    /// A nested object.
    package mutating func object(_ key: String) -> JSONObject? {
        read(key) { $0.objectValue }
    }

    /// A list of objects. An element of another kind is left out and makes the list unreadable in part.
    package mutating func objects(_ key: String) -> [JSONObject]? {
        list(key) { $0.objectValue }
    }

    /// A list of texts. An element of another kind is left out and makes the list unreadable in part.
    package mutating func texts(_ key: String) -> [String]? {
        list(key, Self.text)
    }

    private mutating func list<Element>(_ key: String, _ convert: (JSONValue) -> Element?) -> [Element]? {
        guard let values = read(key, { $0.arrayValue }) else { return nil }
        let elements = values.compactMap(convert)
        if elements.count < values.count { unreadable.append(key) }
        return elements
    }
}
