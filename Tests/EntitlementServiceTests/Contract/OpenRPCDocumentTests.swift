import EntitlementAPI
import Foundation
import JSON
import SchemaTesting
import Testing

/// The OpenRPC document: its form, and what a schema cannot say of it.
@Suite struct OpenRPCDocumentTests {
    private static let rules = Result {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/OpenRPC/openrpc-1.3.json")
        return try JSONParser.parse([UInt8](Data(contentsOf: file)))
    }

    private func document() async throws -> JSONValue {
        try await TestService.shared.value.call("rpc.discover", [:])
    }

    @Test func theDocumentHasTheFormOfOpenRPC() async throws {
        #expect(JSONSchema(try Self.rules.get()).problems(of: try await document()) == [])
    }

    @Test func thePathAnswersTheSameDocument() async throws {
        #expect(try await TestService.shared.value.get("/openrpc.json") == document())
    }

    /// Shows that the check above can fail.
    @Test(
        arguments: [
            ("openrpc", "2.0.0"), ("info", [:]), ("methods", [["name": "a"]]),
            ("methods", [["name": "", "params": [], "result": ["name": "r", "schema": true]]]),
            ("methods", [["name": "a", "params": [], "result": ["name": "r", "schema": ["type": "text"]]]]),
            ("methods", [["name": "a", "params": [["name": "p"]], "result": ["name": "r", "schema": true]]]),
            ("methods", [["name": "a", "params": [], "result": ["name": "r", "schema": ["minLenght": 1]]]]),
            ("components", ["errors": ["e": ["code": 1.5, "message": "m"]]]), ("other", 1),
        ] as [(String, JSONValue)]
    )
    func aDocumentOfAnotherFormIsTold(member: String, value: JSONValue) async throws {
        var changed = try #require(try await document().objectValue)
        changed.set(member, value)
        #expect(JSONSchema(try Self.rules.get()).problems(of: .object(changed)) != [])
    }

    @Test func namesAndCodesAreUniqueAndReferencesLeadSomewhere() async throws {
        let document = try await document()
        let methods = try #require(document["methods"]?.arrayValue)
        let names = methods.compactMap { $0["name"]?.stringValue }
        #expect(names.count == methods.count && Set(names).count == names.count)
        for method in methods {
            let params = method["params"]?.arrayValue ?? []
            let paramNames = params.compactMap { $0["name"]?.stringValue }
            #expect(Set(paramNames).count == params.count, "\(method["name"] ?? .null)")
            let required = params.map { $0["required"] == true }
            #expect(required == required.filter { $0 } + required.filter { !$0 }, "\(method["name"] ?? .null)")
            let errors = (method["errors"]?.arrayValue ?? []).compactMap { resolve($0["$ref"], in: document) }
            #expect(errors.count == method["errors"]?.arrayValue?.count)
            #expect(Set(errors.compactMap { $0["code"]?.int64Value }).count == errors.count)
            #expect(method["summary"]?.stringValue?.hasSuffix(".") == true)
        }
        for reference in references(in: document) {
            #expect(resolve(.string(reference), in: document) != nil, "\(reference)")
        }
    }

    @Test func everyErrorIsDescribed() async throws {
        let document = try await document()
        let errors = try #require(document["components"]?["errors"]?.objectValue)
        for reason in ErrorReason.allCases {
            let error = try #require(errors[reason.rawValue])
            #expect(error["code"]?.int64Value == Int64(reason.code))
            #expect(error["data"]?["reason"]?.stringValue == reason.rawValue)
            #expect(error["data"]?["retryable"]?.boolValue == reason.isRetryable)
        }
        let codes = Set(errors.members.compactMap { $0.value["code"]?.int64Value })
        #expect(codes.isSuperset(of: [-32700, -32600, -32601, -32602, -32603]))
        #expect(codes.count == errors.count)
    }

    /// A schema that says only "object", or nothing of an array's items, describes nothing.
    @Test func everySchemaSaysWhatIsInside() async throws {
        let document = try await document()
        for method in document["methods"]?.arrayValue ?? [] {
            let name = method["name"]?.stringValue ?? ""
            // The document itself, which another specification describes.
            if name == "rpc.discover" { continue }
            for schema in [method["result"]?["schema"]] + (method["params"]?.arrayValue ?? []).map({ $0["schema"] }) {
                #expect(bareSchemas(in: schema ?? .null, document, name) == [])
            }
        }
    }

    // MARK: Support

    private func resolve(_ reference: JSONValue?, in document: JSONValue) -> JSONValue? {
        var value: JSONValue? = document
        for part in reference?.stringValue?.dropFirst().split(separator: "/") ?? [] { value = value?[String(part)] }
        return value
    }

    private func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let object):
            object.members.flatMap { member in
                member.key == "$ref" ? [member.value.stringValue ?? ""] : references(in: member.value)
            }
        case .array(let elements): elements.flatMap { references(in: $0) }
        default: []
        }
    }

    private func bareSchemas(in schema: JSONValue, _ document: JSONValue, _ place: String) -> [String] {
        if let reference = schema["$ref"] {
            return bareSchemas(in: resolve(reference, in: document) ?? .null, document, place)
        }
        let types = (schema["type"]?.arrayValue ?? schema["type"].map { [$0] } ?? []).compactMap(\.stringValue)
        var bare: [String] = []
        if types.contains("object"), schema["properties"] == nil, schema["additionalProperties"] == nil,
            schema["description"] == nil
        {
            bare.append(place)
        }
        if types.contains("array"), schema["items"] == nil { bare.append(place) }
        for member in schema["properties"]?.objectValue?.members ?? [] {
            bare += bareSchemas(in: member.value, document, "\(place).\(member.key)")
        }
        for branch in ["anyOf", "allOf"].flatMap({ schema[$0]?.arrayValue ?? [] }) {
            bare += bareSchemas(in: branch, document, place)
        }
        return bare + (schema["items"].map { bareSchemas(in: $0, document, "\(place)[]") } ?? [])
    }
}
