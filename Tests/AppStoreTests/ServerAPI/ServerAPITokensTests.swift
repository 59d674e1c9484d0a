import AppStore
import EntitlementDomain
import JSON
import Testing
import X509

struct ServerAPITokensTests {
    private let tokens: ServerAPITokens
    private let key: P256PrivateKey
    private let now = SigningDesk.now

    init() throws {
        key = try APIDesk.key.get()
        let credentials = try ServerAPICredentials(issuerID: "issuer", keyID: "KEY", p8: try key.pem())
        tokens = ServerAPITokens(credentials, bundleID: "com.example.app")
    }

    private func parts(_ token: String) throws -> (header: JSONValue, claims: JSONValue) {
        let segments = token.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
        try #require(segments.count == 3)
        let signature = try #require(Base64URL.decode(segments[2]))
        let signed = segments[0] + [UInt8(ascii: ".")] + segments[1]
        #expect(key.publicKey.isValidSignature(signature, over: signed))
        return (
            try JSONParser.parse(try #require(Base64URL.decode(segments[0]))),
            try JSONParser.parse(try #require(Base64URL.decode(segments[1])))
        )
    }

    @Test func aTokenHasTheClaimsThatAppleAsksFor() throws {
        let (header, claims) = try parts(try tokens.token(at: now))
        #expect(header == ["alg": "ES256", "kid": "KEY", "typ": "JWT"])
        let seconds = now.milliseconds / 1_000
        #expect(
            claims == [
                "iss": "issuer", "iat": JSONValue(seconds), "exp": JSONValue(seconds + 300),
                "aud": "appstoreconnect-v1", "bid": "com.example.app",
            ]
        )
    }

    @Test func aTokenIsUsedAgainUntilItsEndIsNear() throws {
        let first = try tokens.token(at: now)
        #expect(try tokens.token(at: now.advanced(byMilliseconds: 239_999)) == first)
        let later = now.advanced(byMilliseconds: 240_000)
        let second = try tokens.token(at: later)
        #expect(second != first)
        #expect(try parts(second).claims["iat"]?.int64Value == later.milliseconds / 1_000)
    }

    @Test func aClockThatIsSetBackGetsANewToken() throws {
        let first = try tokens.token(at: now)
        let earlier = now.advanced(byMilliseconds: -3_600_000)
        let second = try tokens.token(at: earlier)
        #expect(second != first)
        #expect(try parts(second).claims["iat"]?.int64Value == earlier.milliseconds / 1_000)
    }

    @Test func aRefusedTokenIsForgotten() throws {
        let first = try tokens.token(at: now)
        tokens.drop("another")
        #expect(try tokens.token(at: now) == first)
        tokens.drop(first)
        #expect(try tokens.token(at: now) != first)
    }

    @Test(arguments: ["", "not a key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func aFileWithoutAKeyIsRefused(text: String) {
        #expect(throws: X509Error.self) { try ServerAPICredentials(issuerID: "issuer", keyID: "KEY", p8: text) }
    }

    @Test func aKeyOnAnotherCurveIsRefused() throws {
        let pem = try ECPrivateKey.generate(.p384).pem()
        #expect(throws: X509Error.self) { try ServerAPICredentials(issuerID: "issuer", keyID: "KEY", p8: pem) }
    }
}
