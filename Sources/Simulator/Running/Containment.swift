package import JSON

/// Whether a value holds what is expected of it: objects may hold more, at any depth; an array must be equal; null
/// asks for null or nothing; numbers compare by value.
package struct Containment {
    /// A place where they differ.
    package struct Difference: Sendable, Hashable {
        /// The place as a JSON pointer (RFC 6901).
        package let pointer: String
        /// What stands there; nil: nothing.
        package let found: JSONValue?
    }

    /// The first difference in the order of what is expected; nil when all of it is there.
    package static func difference(_ expected: JSONValue, in found: JSONValue?) -> Difference? {
        difference(expected, in: found, path: [])
    }

    private static func difference(
        _ expected: JSONValue,
        in found: JSONValue?,
        path: [JSONPathElement]
    ) -> Difference? {
        if case .object(let expected) = expected, case .object(let found)? = found {
            for member in expected.members {
                let path = path + [.key(member.key)]
                if let difference = difference(member.value, in: found[member.key], path: path) { return difference }
            }
            return nil
        }
        if expected.isNull && found == nil { return nil }
        if let found, isEqual(expected, found) { return nil }
        return Difference(pointer: path.pointer, found: found)
    }

    /// Whether two values mean the same, numbers by value.
    static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)):
            return DecimalValue(left) == DecimalValue(right)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(isEqual)
        case (.object(let left), .object(let right)):
            let keys = Set(left.keys)
            return keys == Set(right.keys) && keys.allSatisfy { isEqual(left[$0]!, right[$0]!) }
        default:
            return left == right
        }
    }
}
