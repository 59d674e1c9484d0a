import EntitlementDomain
import JSON

extension ScenarioReader {
    /// Every field of Apple's payloads that is an instant ends in "Date", at any depth.
    mutating func withDates(_ value: JSONValue, named key: String?, _ path: Path) -> JSONValue {
        switch value {
        case .string(let text) where key?.hasSuffix("Date") ?? false:
            guard let instant = Instant(iso8601: text) else {
                report(path, expected: Self.instantForm, found: value)
                return value
            }
            return JSONValue(instant.milliseconds)
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                result.append(member.key, withDates(member.value, named: member.key, path + [.key(member.key)]))
            }
            return .object(result)
        case .array(let elements):
            return .array(
                elements.enumerated().map { withDates($1, named: nil, path + [.index($0)]) }
            )
        default:
            return value
        }
    }

    enum Kind: String {
        case text
        case number = "a number"
    }

    /// A field with a default that null drops.
    mutating func field(
        _ key: String,
        in object: JSONObject,
        _ path: Path,
        _ kind: Kind,
        default value: JSONValue?
    ) -> JSONValue? {
        guard let given = object[key] else { return value }
        switch (given, kind) {
        case (.null, _): return nil
        case (.string, .text), (.number, .number): return given
        default:
            report(path + [.key(key)], expected: "\(kind.rawValue) or null", found: given)
            return nil
        }
    }

    mutating func date(
        _ key: String,
        in object: JSONObject,
        _ path: Path,
        default value: JSONValue
    ) -> JSONValue? {
        guard let given = object[key] else { return value }
        return given.isNull ? .none : withDates(given, named: key, path + [.key(key)])
    }

    mutating func raw(_ key: String, in object: JSONObject, _ path: Path) -> JSONObject {
        guard let value = object[key] else { return JSONObject() }
        return self.object(value, path + [.key(key)]) ?? JSONObject()
    }
}
