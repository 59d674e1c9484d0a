import EventStore
import JSON
import SchemaTesting
import Testing

/// Every method refuses what its declaration does not allow, says which parameter it is about, and changes nothing. The
/// cases come from the OpenRPC document, so a new method has them from its first day.
@Suite struct DeclaredParametersTests {
    /// Values of every kind; those that a parameter's schema allows are left out.
    private static let values: [JSONValue] = [
        true, 0, -1, 1.5, 1_000_000_000_000_000_000, "", "x", "1:", "2026-13-01T00:00:00Z", [], ["x"], [[:]], [:],
        ["x": 1],
    ]

    @Test func whatIsNotDeclaredIsRefusedByName() async throws {
        let service = try await TestService.make()
        let contract = service.contract
        let before = try await service.store.position()
        var refused = 0
        for name in contract.methodNames {
            let method = try #require(contract.method(name))
            let example = try #require(method["examples"]?[0], "\(name) has no example")
            let good = JSONObject(
                (example["params"]?.arrayValue ?? []).map {
                    .init(key: $0["name"]?.stringValue ?? "", value: $0["value"] ?? .null)
                }
            )
            await refuse(name, .array([]), nil, service)
            await refuse(name, .object(Samples.merge(good, ["nonsense": 1])), "nonsense", service)
            for parameter in method["params"]?.arrayValue ?? [] {
                let parameterName = try #require(parameter["name"]?.stringValue)
                let schema = try #require(parameter["schema"])
                if parameter["required"] == true {
                    for absent in [JSONValue?.none, .null] {
                        await refuse(
                            name,
                            .object(Samples.merge(good, [parameterName: absent])),
                            parameterName,
                            service
                        )
                    }
                }
                for value in Self.values + Self.outOfRange(schema) {
                    if JSONSchema(schema, in: contract.document).problems(of: value).isEmpty { continue }
                    await refuse(name, .object(Samples.merge(good, [parameterName: value])), parameterName, service)
                    refused += 1
                }
            }
        }
        #expect(refused > 500)
        #expect(try await service.store.position() == before)
        try await service.close()
    }

    /// The values just beyond the bounds that a schema sets.
    private static func outOfRange(_ schema: JSONValue) -> [JSONValue] {
        let numbers = [schema["minimum"]?.int64Value.map { $0 - 1 }, schema["maximum"]?.int64Value.map { $0 + 1 }]
        let length = schema["maxLength"]?.int64Value.map { String(repeating: "a", count: Int($0) + 1) }
        let items = schema["maxItems"]?.int64Value.map { JSONValue.array(Array(repeating: "x", count: Int($0) + 1)) }
        return numbers.compactMap { $0.map { JSONValue($0) } } + [length.map { .string($0) }, items].compactMap(\.self)
    }

    private func refuse(_ method: String, _ params: JSONValue, _ parameter: String?, _ service: TestService) async {
        let shown = String(decoding: params.serialized().prefix(200), as: UTF8.self)
        do {
            _ = try await service.call(method, params)
            Issue.record("\(method) took \(shown)")
        } catch let failure as CallFailure {
            #expect(failure.code == -32602, "\(method) \(shown): \(failure)")
            #expect(failure.reason == "invalidParams", "\(method) \(shown): \(failure)")
            guard let parameter else { return }
            // A fault inside a list or an object names the place inside.
            let named = failure.parameter?.prefix { $0 != "[" && $0 != "." }
            #expect(named == parameter[...], "\(method) \(shown): \(failure)")
            #expect(failure.message.contains(parameter), "\(method) \(shown): \(failure)")
        } catch {
            Issue.record("\(method) \(shown): \(error)")
        }
    }
}
