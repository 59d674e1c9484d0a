import JSON
import Testing

/// A call that must be refused for one of its parameters.
struct BadParameters: Sendable, CustomTestStringConvertible {
    var method: String
    var params: JSONValue
    /// The parameter that the error must name; nil: it names none.
    var parameter: String?

    init(_ method: String, _ params: JSONValue, names parameter: String?) {
        self.method = method
        self.params = params
        self.parameter = parameter
    }

    var testDescription: String {
        "\(method) \(String(decoding: params.serialized().prefix(160), as: UTF8.self))"
    }

    /// What every method with an account or an original transaction id must refuse.
    ///
    /// - Parameter rest: the method's other required parameters.
    static func ofKey(_ method: String, rest: JSONObject = [:]) -> [BadParameters] {
        func with(_ changes: [String: JSONValue?]) -> JSONValue {
            .object(Samples.merge(Samples.merge(rest, ["account": .string(Samples.account)]), changes))
        }
        let line = ["account": JSONValue?.none]
        return [
            BadParameters(method, .array([]), names: nil),
            BadParameters(method, with(["account": .some(nil)]), names: "account"),
            BadParameters(method, with(["account": .some(.null)]), names: "account"),
            BadParameters(method, with(["account": "somebody"]), names: "account"),
            BadParameters(method, with(["account": 7]), names: "account"),
            BadParameters(method, with(["originalTransactionId": "1001"]), names: "account"),
            BadParameters(
                method,
                with(line.merging(["originalTransactionId": 1001]) { $1 }),
                names: "originalTransactionId"
            ),
            BadParameters(
                method,
                with(line.merging(["originalTransactionId": ""]) { $1 }),
                names: "originalTransactionId"
            ),
            BadParameters(
                method,
                with(line.merging(["originalTransactionId": .string(String(repeating: "1", count: 65))]) { $1 }),
                names: "originalTransactionId"
            ),
            BadParameters(method, with(["nonsense": 1]), names: "nonsense"),
        ] + ofReading(method, base: with([:]).objectValue ?? [:])
    }

    /// What every read must refuse.
    ///
    /// - Parameter base: parameters that are good.
    static func ofReading(_ method: String, base: JSONObject) -> [BadParameters] {
        let faults: [(String, JSONValue)] = [
            ("environment", "production"), ("environment", 1), ("environment", "LocalTesting"),
            ("minPosition", 42), ("minPosition", "42"), ("minPosition", "1:-2"),
            ("knownAt", "yesterday"), ("knownAt", true), ("waitMs", -1), ("waitMs", 30_001), ("waitMs", 1.5),
            ("waitMs", "10"),
        ]
        return faults.map { name, value in
            BadParameters(method, .object(Samples.merge(base, [name: value])), names: name)
        }
    }

    /// What every parameter that is a time must refuse.
    static func ofTime(_ method: String, _ name: String, base: JSONObject) -> [BadParameters] {
        let faults: [JSONValue] = ["yesterday", "2026-02-30", true, 1.5, 9_000_000_000_000_000, ["2026-01-01"]]
        return faults.map { BadParameters(method, .object(Samples.merge(base, [name: $0])), names: name) }
    }

    /// What every method must refuse: params by place, a parameter that it does not know, and each required one missing.
    static func ofAny(_ method: String, required: JSONObject) -> [BadParameters] {
        [
            BadParameters(method, .array([]), names: nil),
            BadParameters(method, .object(Samples.merge(required, ["nonsense": 1])), names: "nonsense"),
        ]
            + required.keys.flatMap { name in
                [JSONValue?.none, .null].map { value in
                    BadParameters(method, .object(Samples.merge(required, [name: value])), names: name)
                }
            }
    }

    /// One parameter with values that it must refuse.
    static func of(
        _ method: String,
        _ name: String,
        base: JSONObject,
        refuses values: JSONValue...
    ) -> [BadParameters] {
        values.map { BadParameters(method, .object(Samples.merge(base, [name: $0])), names: name) }
    }

    /// Expects -32602 that names the parameter.
    func check() async throws {
        let service = try await TestService.shared.value
        let failure = try await #require(throws: CallFailure.self) { try await service.call(method, params) }
        #expect(failure.code == -32602)
        #expect(failure.reason == (parameter == nil ? failure.reason : "invalidParams"))
        #expect(failure.parameter == parameter)
        for part in parameter?.split(separator: ".") ?? [] { #expect(failure.message.contains(part)) }
    }
}
