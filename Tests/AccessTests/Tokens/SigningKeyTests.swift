import EntitlementDomain
import EntitlementService
import JSON
import Testing
import X509

struct SigningKeyTests {
    /// RFC 8037 appendix A.1 to A.3.
    @Test func theIdentifierIsTheThumbprintOfThePublishedExample() throws {
        let seed = try #require(Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A".utf8))
        let key = SigningKey(try Ed25519PrivateKey(seed: seed), fileName: "key.pem", signsFrom: .distantPast)
        #expect(key.keyID == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        let expected: JSONValue = [
            "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA",
            "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        ]
        #expect(key.jwk == expected)
    }

    @Test func aTokenVerifiesWithItsKeyOnly() throws {
        let key = SigningKey(try .generate(), fileName: "a.pem", signsFrom: .distantPast)
        let other = SigningKey(try .generate(), fileName: "b.pem", signsFrom: .distantPast)
        let text = try key.sign(claims: Array(#"{"sub":"x"}"#.utf8))
        let token = try VerifiedToken(text, keySet: ["keys": [other.jwk, key.jwk]])
        #expect(token.claims == ["sub": "x"])
        #expect(token.header == ["alg": "EdDSA", "kid": .string(key.keyID), "typ": "JWT"])
        #expect(throws: VerifiedToken.Refusal(reason: "no key of the set has this id")) {
            _ = try VerifiedToken(text, keySet: ["keys": [other.jwk]])
        }
    }
}
