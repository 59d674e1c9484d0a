import EntitlementAPI
import EntitlementDomain
import EntitlementService
import Foundation
import HTTPServer
import JSON
import Testing

/// The audit methods as a caller meets them.
@Suite struct AuditMethodsTests {
    @Test func theChainIsVerifiedPartByPart() async throws {
        try await TestService.with { service in
            for number in 0..<4 { try await service.grant("pro", from: Instant(milliseconds: Int64(number)), to: nil) }
            let whole = try await service.result("audit.verify", [:])
            #expect(whole["holds"] == true && whole["events"] == 5 && whole["hasMore"] == false)
            #expect(whole["problem"] == .null)
            let part = try await service.result("audit.verify", ["limit": 2])
            #expect(part["to"] == "1:2" && part["hasMore"] == true)
            let rest = try await service.result("audit.verify", ["from": "1:3", "signatures": true])
            #expect(rest["from"] == "1:3" && rest["events"] == 3 && rest["lastHash"] == whole["lastHash"])
            let outside = try await service.call("audit.verify", ["from": "1:9"])
            #expect(outside["error"]?["code"] == -32602)
            let otherEpoch = try await service.call("audit.verify", ["from": "2:1"])
            #expect(otherEpoch["error"]?["data"]?["reason"] == "positionNotReached")
        }
    }

    @Test func anAccountAndASmallLogAreReplayed() async throws {
        try await TestService.with { service in
            try await service.grant("pro", from: TestService.start, to: nil)
            let whole = try await service.result("audit.replay", [:])
            #expect(whole["equal"] == true && whole["complete"] == true && whole["accounts"] == 1)
            #expect(whole["differences"] == [])
            let one = try await service.result("audit.replay", ["account": .string(TestService.account)])
            #expect(one["equal"] == true && one["events"] == 1)
            let cut = try await service.result(
                "audit.replay",
                ["account": .string(TestService.account), "knownAt": "1:1"]
            )
            #expect(cut["equal"] == true && cut["position"] == "1:1")
            let wrong = try await service.call("audit.replay", ["knownAt": "1:1"])
            #expect(wrong["error"]?["code"] == -32602)
        }
    }

    @Test func theAuditMethodsNeedTheirScope() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read, .submit, .admin])
            for method in ["audit.verify", "audit.replay", "audit.checkpoint"] {
                let answer = try await service.call(method, [:], key: key)
                #expect(answer["error"]?["data"]?["reason"] == "forbidden")
            }
        }
    }

    @Test func aCheckpointIsSignedAndVerifiesWithThePublishedKeys() async throws {
        let directory = try TemporaryDirectory()
        let keys = SigningKeyDirectory(path: directory.url.appendingPathComponent("keys").path)
        _ = try keys.addKey(now: TestService.start)
        let tokens = TokenConfiguration(issuer: "test", signingKeys: keys)
        let published = directory.url.appendingPathComponent("checkpoints").path
        try await TestService.with(tokens: tokens, checkpoints: CheckpointConfiguration(directory: published)) {
            service in
            let answer = try await service.result("audit.checkpoint", [:])
            let whole = try await service.result("audit.verify", [:])
            #expect(answer["position"] == "1:1" && answer["hash"] == whole["lastHash"])
            let keySet = try JSONParser.parse(
                await service.send(HTTPRequest(method: .get, target: "/.well-known/jwks.json")).bytes
            )
            let verifier = try CheckpointVerifier(keySet: keySet)
            let file = try Data(contentsOf: URL(filePath: "\(published)/checkpoint-1-1.json"))
            let checkpoint = try verifier.verify(file: [UInt8](file))
            #expect(checkpoint.position == LogPosition(epoch: 1, number: 1))
            #expect(checkpoint.signedAt == TestService.start)
            let token = try #require(answer["token"]?.stringValue)
            #expect(try verifier.verify(file: Array(token.utf8)) == checkpoint)
            // A changed file, a changed token, another key, a token about an account.
            let text = String(decoding: file, as: UTF8.self)
            for bad in [
                text.replacing(#""position":"1:1""#, with: #""position":"1:2""#),
                text.replacing(String(token.suffix(20)), with: String(token.suffix(20).reversed())), "", "{}",
            ] {
                #expect(throws: CheckpointVerifier.Failure.self) { try verifier.verify(file: Array(bad.utf8)) }
            }
            let other = SigningKeyDirectory(path: directory.url.appendingPathComponent("other").path)
            let otherKeys: JSONValue = ["keys": [try other.addKey(now: TestService.start).jwk]]
            #expect(throws: CheckpointVerifier.Failure.self) {
                try CheckpointVerifier(keySet: otherKeys).verify(file: [UInt8](file))
            }
            let about = try await service.result("entitlements.token", ["account": .string(TestService.account)])
            let aboutText = try #require(about["token"]?.stringValue)
            #expect(throws: CheckpointVerifier.Failure.self) { try verifier.verify(file: Array(aboutText.utf8)) }
        }
    }

    @Test func withoutKeysThereIsNoCheckpoint() async throws {
        try await TestService.with { service in
            let answer = try await service.call("audit.checkpoint", [:])
            #expect(answer["error"]?["data"]?["reason"] == "notFound")
        }
    }
}
