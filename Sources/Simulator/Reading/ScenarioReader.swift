import EntitlementDomain
import JSON

/// Reads the values of a scenario file strictly and gathers what is wrong instead of stopping at the first fault.
struct ScenarioReader {
    typealias Path = [JSONPathElement]

    let fileName: String
    private let map: JSONSourceMap
    private(set) var problems: [ScenarioProblem] = []

    /// A reader for one file; names that stand twice in an object are its first problems.
    init(fileName: String, map: JSONSourceMap) {
        self.fileName = fileName
        self.map = map
        for duplicate in map.duplicateKeys {
            problems.append(
                ScenarioProblem(
                    file: fileName,
                    line: duplicate.again.line,
                    column: duplicate.again.column,
                    pointer: duplicate.path.pointer,
                    message: "this name stands already in line \(duplicate.first.line); remove one of the two"
                )
            )
        }
    }

    /// The line where the value at a path begins.
    func line(of path: Path) -> Int {
        map.nearestPosition(to: path).line
    }

    // MARK: Problems

    mutating func report(_ path: Path, _ message: String) {
        report(path, message, at: map.nearestPosition(to: path))
    }

    mutating func report(_ path: Path, expected: String, found: JSONValue?) {
        report(path, "expected \(expected), found \(Self.describe(found))")
    }

    private mutating func report(_ path: Path, _ message: String, at position: SourcePosition) {
        problems.append(
            ScenarioProblem(
                file: fileName,
                line: position.line,
                column: position.column,
                pointer: path.pointer,
                message: message
            )
        )
    }

    /// A value in a few words: its kind, and its text when that is short.
    private static func describe(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        let text = value.description
        return text.utf8.count <= 40 ? text : value.kindName == "array" ? "an array" : "a long \(value.kindName)"
    }

    // MARK: Values

    /// The object at a path; nil, and a problem, for anything else.
    mutating func object(_ value: JSONValue?, _ path: Path, _ what: String = "an object") -> JSONObject? {
        guard let object = value?.objectValue else {
            report(path, expected: what, found: value)
            return nil
        }
        return object
    }

    /// A problem for every member whose name is not in the list.
    mutating func allowOnly(_ names: [String], in object: JSONObject, _ path: Path) {
        for key in object.keys where !names.contains(key) {
            let place = path + [.key(key)]
            let message = "unknown key \"\(key)\"; expected one of \(names.joined(separator: ", "))"
            report(place, message, at: map.keyPosition(of: place) ?? map.nearestPosition(to: place))
        }
    }

    /// The text of an optional member; nil when it is absent, nil and a problem when it is no text or an empty one.
    mutating func text(_ key: String, in object: JSONObject, _ path: Path) -> String? {
        guard let value = object[key] else { return nil }
        return text(value, path + [.key(key)])
    }

    /// The text of a member that must be there.
    mutating func requiredText(_ key: String, in object: JSONObject, _ path: Path) -> String? {
        text(object[key], path + [.key(key)])
    }

    private mutating func text(_ value: JSONValue?, _ path: Path) -> String? {
        guard let text = value?.stringValue, !text.isEmpty else {
            report(path, expected: "text", found: value)
            return nil
        }
        return text
    }

    /// A truth value; nil when it is absent.
    mutating func flag(_ key: String, in object: JSONObject, _ path: Path) -> Bool? {
        guard let value = object[key] else { return nil }
        guard let flag = value.boolValue else {
            report(path + [.key(key)], expected: "true or false", found: value)
            return nil
        }
        return flag
    }

    /// One of a set of words; nil when it is absent.
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ key: String,
        in object: JSONObject,
        _ path: Path,
        of type: Word.Type = Word.self
    ) -> Word? where Word.RawValue == String {
        guard let value = object[key] else { return nil }
        guard let word = value.stringValue.flatMap(Word.init(rawValue:)) else {
            let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            report(path + [.key(key)], expected: words, found: value)
            return nil
        }
        return word
    }

    /// An instant that must be there, as ISO 8601 text.
    mutating func requiredInstant(_ key: String, in object: JSONObject, _ path: Path) -> Instant? {
        guard let instant = object[key]?.stringValue.flatMap(Instant.init(iso8601:)) else {
            report(path + [.key(key)], expected: Self.instantForm, found: object[key])
            return nil
        }
        return instant
    }

    /// An account: a UUID or one of the names; nil when it is absent.
    mutating func account(_ key: String, in object: JSONObject, _ path: Path) -> AccountID? {
        guard let value = object[key] else { return nil }
        guard let text = value.stringValue, let account = AccountNames.account(named: text) ?? AccountID(text) else {
            report(path + [.key(key)], expected: "a UUID or one of the names U1 ... U9", found: value)
            return nil
        }
        return account
    }

    /// A call: `method` and `params`, account names resolved.
    mutating func call(_ value: JSONValue?, _ path: Path) -> ScenarioCall? {
        guard let object = object(value, path, "a call { \"method\", \"params\" }") else { return nil }
        allowOnly(["method", "params"], in: object, path)
        let method = requiredText("method", in: object, path)
        var params = JSONObject()
        if let value = object["params"] {
            params = self.object(value, path + ["params"], "parameters by name (an object)") ?? params
        }
        return method.map { ScenarioCall(method: $0, params: AccountNames.resolving(params)) }
    }

    static let instantForm = "a date as ISO 8601 text such as \"2026-04-01T00:00:00Z\""
}
