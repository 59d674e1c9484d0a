import EntitlementAPI
import EntitlementDomain
import EntitlementService
import Foundation
import HTTPServer
import JSON
import Testing

/// `entitlements.token` and the key set, through the HTTP handler.
struct EntitlementsTokenTests {
    private static let start = TestService.start

    private func with<Value>(issuer: String = "entitled", _ body: (TestService) async throws -> Value) async throws
        -> Value
    {
        let directory = try TemporaryDirectory()
        let keys = SigningKeyDirectory(path: directory.path)
        _ = try keys.addKey(now: Self.start)
        defer { withExtendedLifetime(directory) {} }
        return try await TestService.with(
            tokens: TokenConfiguration(issuer: issuer, signingKeys: keys),
            body
        )
    }

    private func verified(_ service: TestService, _ params: JSONValue) async throws -> VerifiedToken {
        let result = try await service.result("entitlements.token", params)
        return try VerifiedToken(try #require(result["token"]?.stringValue), keySet: try await keySet(service))
    }

    private func keySet(_ service: TestService) async throws -> JSONValue {
        let response = await service.send(HTTPRequest(method: .get, target: "/.well-known/jwks.json"))
        #expect(response.status == .ok)
        return try JSONParser.parse(response.bytes)
    }

    @Test func theClaimsAreTheAnswerForNow() async throws {
        try await with(issuer: "https://entitled.example") { service in
            try await service.grant("pro", from: Self.start, to: Self.start.advanced(byMilliseconds: 86_400_000))
            try await service.grant("max", from: Self.start, to: Self.start.advanced(byMilliseconds: 500))
            service.clock.advance(.milliseconds(1_234))
            let params: JSONValue = ["account": .string(TestService.account)]
            let result = try await service.result("entitlements.token", params)
            let token = try VerifiedToken(
                try #require(result["token"]?.stringValue),
                keySet: try await keySet(service)
            )
            let issuedAt = Self.start.milliseconds / 1_000 + 1
            let expected: JSONValue = [
                "iss": "https://entitled.example", "sub": .string(TestService.account),
                "iat": .number(JSONNumber(issuedAt)), "nbf": .number(JSONNumber(issuedAt)),
                "exp": .number(JSONNumber(issuedAt + 3_600)), "position": "1:3", "environment": "Production",
                "entitlements": [
                    "max": ["active": false, "state": "expired", "expiresAt": "2026-04-01T00:00:00.500Z"],
                    "pro": ["active": true, "state": "active", "expiresAt": "2026-04-02T00:00:00.000Z"],
                ],
                "balances": [:],
            ]
            #expect(token.claims == expected)
            #expect(result["position"] == "1:3")
            #expect(result["expiresAt"] == "2026-04-01T01:00:01.000Z")
            #expect(token.header["typ"] == "JWT")
            let get = try await service.result("entitlements.get", params)
            #expect(get["position"] == token.claims["position"])
        }
    }

    @Test func theAudienceAndALineAreNamedWhenAsked() async throws {
        try await with { service in
            let token = try await verified(
                service,
                ["originalTransactionId": "2000000000000001", "environment": "Sandbox", "audience": "game", "ttl": 60]
            )
            #expect(token.claims["aud"] == "game")
            #expect(token.claims["sub"] == "2000000000000001")
            #expect(token.claims["iss"] == "entitled")
            #expect(token.claims["environment"] == "Sandbox")
            #expect(token.claims["entitlements"] == [:])
            #expect(token.claims["exp"]?.int64Value == Self.start.milliseconds / 1_000 + 60)
        }
    }

    @Test func everyBitOfATokenCounts() async throws {
        try await with { service in
            let result = try await service.result("entitlements.token", ["account": .string(TestService.account)])
            let text = try #require(result["token"]?.stringValue)
            let set = try await keySet(service)
            _ = try VerifiedToken(text, keySet: set)
            for index in [0, 40, 120, text.count - 1] {
                var characters = Array(text)
                characters[index] = characters[index] == "A" ? "B" : "A"
                let spoiled = String(characters)
                #expect(throws: (any Error).self, "character \(index)") {
                    _ = try VerifiedToken(spoiled, keySet: set)
                }
            }
        }
    }

    @Test(
        arguments: [
            ["ttl": 0], ["ttl": 86_401], ["ttl": "60"], ["ttl": 1.5], ["audience": ""], ["audience": 7],
            ["at": "2026-04-01T00:00:00Z"], ["knownAt": "1:1"],
            ["audience": .string(String(repeating: "a", count: 201))],
        ] as [JSONValue]
    )
    func parametersThatDoNotFitAreRefused(extra: JSONValue) async throws {
        try await with { service in
            var params: JSONObject = ["account": .string(TestService.account)]
            for member in extra.objectValue?.members ?? [] { params.set(member.key, member.value) }
            let answer = try await service.call("entitlements.token", .object(params))
            #expect(answer["error"]?["code"] == -32602)
            #expect(answer["error"]?["data"]?["parameter"]?.stringValue == extra.objectValue?.keys.first)
        }
    }

    @Test func withoutKeysItSaysWhatToConfigure() async throws {
        try await TestService.with { service in
            let answer = try await service.call("entitlements.token", ["account": .string(TestService.account)])
            #expect(answer["error"]?["data"]?["reason"] == "unavailable")
            #expect(answer["error"]?["message"]?.stringValue?.contains("signingKeys") == true)
            #expect(try await keySet(service) == ["keys": []])
        }
    }

    @Test func itNeedsTheScopeRead() async throws {
        try await with { service in
            let params: JSONValue = ["account": .string(TestService.account)]
            let submitter = try await service.addKey([.submit])
            let reader = try await service.addKey([.read])
            let refused = try await service.call("entitlements.token", params, key: submitter)
            #expect(refused["error"]?["data"]?["reason"] == "forbidden")
            #expect(try await service.call("entitlements.token", params, key: reader)["result"] != nil)
        }
    }

    @Test func theKeySetIsForAnybodyAndMayBeKept() async throws {
        try await with { service in
            let response = await service.send(HTTPRequest(method: .get, target: "/.well-known/jwks.json"))
            #expect(response.headers.contains { $0.name == "Cache-Control" && $0.value == "public, max-age=300" })
            let key = try #require(try JSONParser.parse(response.bytes)["keys"]?[0])
            #expect(key["kty"] == "OKP")
            #expect(key["crv"] == "Ed25519")
            #expect(key["use"] == "sig")
            #expect(key["alg"] == "EdDSA")
            #expect(key.objectValue?.keys.sorted() == ["alg", "crv", "kid", "kty", "use", "x"])
            let head = await service.send(HTTPRequest(method: .head, target: "/.well-known/jwks.json"))
            #expect(head.status == .ok)
            let post = await service.send(HTTPRequest(method: .post, target: "/.well-known/jwks.json"))
            #expect(post.status == .methodNotAllowed)
        }
    }
}
