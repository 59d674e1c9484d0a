import EntitlementAPI
import EntitlementDomain
import EntitlementService
import Foundation
import JSON
import SchemaTesting
import Simulator
import Testing
import X509

/// The examples of the OpenRPC document are one story, and it is true: played from its start, every call has the result that
/// stands beside it.
@Suite struct ExampleTests {
    /// Members that are drawn at random, or follow from what is.
    private static let drawn: Set<String> = [
        "eventId", "commandId", "grantId", "holdId", "hash", "lastHash", "evidence", "token", "keyId",
    ]

    /// With `ENTITLED_RECORD` set, the results are written to that file instead of compared.
    private static let record = ProcessInfo.processInfo.environment["ENTITLED_RECORD"]

    @Test func everyMethodHasAnExampleThatFitsItsSchemas() async throws {
        let contract = try await TestService.shared.value.contract
        for name in contract.methodNames {
            let method = try #require(contract.method(name))
            let examples = method["examples"]?.arrayValue ?? []
            #expect(!examples.isEmpty, "\(name) has no example in examples.json")
            for example in examples {
                let params = example["params"]?.arrayValue ?? []
                for parameter in method["params"]?.arrayValue ?? [] where parameter["required"] == true {
                    #expect(params.contains { $0["name"] == parameter["name"] }, "\(name): \(parameter)")
                }
                for value in params {
                    let declared = (method["params"]?.arrayValue ?? []).first { $0["name"] == value["name"] }
                    let schema = try #require(declared?["schema"], "\(name) has no parameter \(value)")
                    let problems = JSONSchema(schema, in: contract.document, isClosed: true)
                        .problems(of: value["value"] ?? .null, at: name)
                    #expect(problems == [])
                }
                #expect(contract.problems(ofResult: example["result"]?["value"] ?? .null, of: name) == [])
            }
        }
    }

    @Test func theStoryIsTrue() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "entitled-examples-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = SigningKeyDirectory(path: folder.path(percentEncoded: false))
        _ = try keys.addKey(now: Samples.date("2026-03-01T00:00:00Z"))
        let service = try await TestService.make(
            catalog: nil,
            tokens: TokenConfiguration(signingKeys: keys),
            appStore: try ExampleAppStore.access(),
            now: "2026-03-10T12:00:00Z"
        )
        var story = Story()
        var recorded: [JSONValue] = []
        for example in MethodExample.all {
            let params = story.filled(.object(example.params))
            let result = try await service.call(example.method, try story.signed(params))
            if example.method == "rpc.discover" {
                #expect(result["openrpc"] == example.result["openrpc"])
                #expect(result["info"]?["title"] == example.result["info"]?["title"])
            } else if Self.record == nil {
                let differences = story.differences(example.result, result, at: "\(example.method), \(example.name)")
                #expect(differences == [])
            }
            story.learn(example.result, result)
            recorded.append([
                "method": .string(example.method), "name": .string(example.name), "params": params,
                "result": example.method == "rpc.discover" ? example.result : result,
            ])
        }
        if let file = Self.record {
            try Data(JSONValue.array(recorded).serialized()).write(to: URL(filePath: file))
        }
        try await service.close()
    }

    /// What this play of the story has in the place of what another one drew.
    private struct Story {
        private var texts: [String: String] = [:]

        /// Takes note of what stands here for what was drawn there.
        mutating func learn(_ there: JSONValue, _ here: JSONValue, member: String = "") {
            switch (there, here) {
            case (.object(let there), .object(let here)):
                for item in there.members where here[item.key] != nil {
                    learn(item.value, here[item.key] ?? .null, member: item.key)
                }
            case (.array(let there), .array(let here)):
                for (there, here) in zip(there, here) { learn(there, here, member: member) }
            case (.string(let there), .string(let here)) where ExampleTests.drawn.contains(member): texts[there] = here
            default: break
            }
        }

        /// The same value with what was drawn here.
        func filled(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string(let text): .string(texts[text] ?? text)
            case .array(let elements): .array(elements.map { filled($0) })
            case .object(let object):
                .object(JSONObject(object.members.map { .init(key: $0.key, value: filled($0.value)) }))
            default: value
            }
        }

        /// The same value with its signed texts signed by the chain that the service trusts: in the document they have
        /// their payload, and nothing for a signature. A receipt is its payload alone there.
        func signed(_ value: JSONValue, member: String = "") throws -> JSONValue {
            switch value {
            case .string(let text) where member.hasPrefix("signed"):
                let parts = text.split(separator: ".")
                guard parts.count == 3, let payload = Base64URL.decode(parts[1].utf8Span.span) else { return value }
                return .string(try Samples.sign(JSONParser.parse(payload).objectValue ?? [:]))
            case .string(let text) where member == "receipt":
                let payload = try #require(Base64.decode(text.utf8))
                return .string(try TestService.signing.get().appStore.receiptSigner().sign(payload: payload))
            case .array(let elements): return .array(try elements.map { try signed($0) })
            case .object(let object):
                return .object(
                    JSONObject(
                        try object.members.map { .init(key: $0.key, value: try signed($0.value, member: $0.key)) }
                    )
                )
            default: return value
            }
        }

        /// Where two results differ, but for what is drawn.
        func differences(_ there: JSONValue, _ here: JSONValue, at place: String, member: String = "") -> [String] {
            switch (there, here) {
            case (.object(let there), .object(let here)):
                let keys = there.keys + here.keys.filter { there[$0] == nil }
                return keys.flatMap { key -> [String] in
                    guard let left = there[key], let right = here[key] else {
                        return ["\(place).\(key) is on one side"]
                    }
                    return differences(left, right, at: "\(place).\(key)", member: key)
                }
            case (.array(let there), .array(let here)) where there.count == here.count:
                return zip(there, here).enumerated().flatMap {
                    differences($1.0, $1.1, at: "\(place)[\($0)]", member: member)
                }
            case (.string, .string) where ExampleTests.drawn.contains(member): return []
            default: return there == here ? [] : ["\(place): \(there) is now \(here)"]
            }
        }
    }
}
