import AppStore
import JSON
import Simulator
import Testing
import X509

/// What is refused for its form, before trust is a question.
@Suite struct StatementFormTests {
    let fixture: VerificationFixture
    let verifier: SignedStatementVerifier
    let now = VerificationFixture.now

    init() throws {
        fixture = try VerificationFixture.shared.get()
        verifier = try fixture.verifier()
    }

    private func failure(_ text: String) -> VerificationError? {
        verificationError { _ = try verifier.verify(text, now: now) }
    }

    private var list: String { VerificationFixture.list(fixture.headerCertificates) }

    @Test(arguments: [
        "", ".", "..", "...", "a", "a.b", "a.b.c", "a.b.c.d", "{}", "\u{0}", "....", "e30.e30.", ".e30.e30", "é.é.é",
    ])
    func refusesWhatIsNoStatement(text: String) {
        #expect(failure(text)?.isMalformed == true)
    }

    @Test func refusesAFourthSegment() throws {
        let text = try fixture.chain.signer.sign(VerificationFixture.payload())
        for spoiled in [text + ".", text + ".e30", "." + text, text.replacing(".", with: "..", maxReplacements: 1)] {
            #expect(failure(spoiled)?.isMalformed == true)
        }
        #expect(failure(text) == nil)
    }

    @Test(arguments: ["none", "NONE", "HS256", "ES384", "ES512", "RS256", "es256", "ES256 ", "", "EdDSA"])
    func refusesEveryOtherAlgorithm(algorithm: String) throws {
        let text = try fixture.sign(header: "{\"alg\":\"\(algorithm)\",\"x5c\":\(list)}")
        #expect(failure(text) == .malformed("the algorithm is not ES256"))
    }

    @Test(arguments: ["", "\"alg\":null,", "\"alg\":[\"ES256\"],", "\"alg\":{\"ES256\":1},", "\"ALG\":\"ES256\","])
    func refusesAMissingAlgorithm(member: String) throws {
        #expect(failure(try fixture.sign(header: "{\(member)\"x5c\":\(list)}"))?.isMalformed == true)
    }

    @Test func refusesAStatementWithoutASignature() throws {
        let header = String(decoding: Base64URL.encode(Array("{\"alg\":\"none\"}".utf8)), as: UTF8.self)
        let payload = String(decoding: Base64URL.encode(VerificationFixture.payload()), as: UTF8.self)
        #expect(failure("\(header).\(payload).")?.isMalformed == true)
        let segments = try fixture.chain.signer.sign(VerificationFixture.payload()).split(separator: ".")
        #expect(failure("\(segments[0]).\(segments[1]).") == .badSignature)
    }

    @Test(arguments: [
        "\"crit\":[\"exp\"]", "\"crit\":[]", "\"jku\":\"https://example.com\"", "\"jwk\":{}", "\"crit\":null",
        "\"cr\\u0069t\":[]",
    ])
    func refusesHeadersThatChooseTheirKey(member: String) throws {
        let text = try fixture.sign(header: "{\"alg\":\"ES256\",\(member),\"x5c\":\(list)}")
        #expect(failure(text)?.isMalformed == true)
    }

    @Test func refusesTwoMembersOfOneName() throws {
        for header in [
            "{\"alg\":\"none\",\"alg\":\"ES256\",\"x5c\":\(list)}",
            "{\"alg\":\"ES256\",\"alg\":\"ES256\",\"x5c\":\(list)}",
            "{\"alg\":\"ES256\",\"x5c\":[],\"x5c\":\(list)}",
            "{\"alg\":\"ES256\",\"a\\u006cg\":\"none\",\"x5c\":\(list)}",
        ] {
            #expect(failure(try fixture.sign(header: header))?.isMalformed == true)
        }
    }

    @Test(arguments: [0, 2, 4, 5]) func refusesAnotherNumberOfCertificates(count: Int) throws {
        let all = fixture.headerCertificates + fixture.headerCertificates
        let signer = StatementSigner(certificates: Array(all.prefix(count)), key: fixture.chain.key)
        #expect(failure(try signer.sign(VerificationFixture.payload()))?.isMalformed == true)
    }

    @Test(arguments: ["", "\"x5c\":null,", "\"x5c\":\"text\",", "\"x5c\":{},", "\"x5c\":[1,2,3],", "\"x5c\":[null],"])
    func refusesAHeaderWithoutCertificates(member: String) throws {
        #expect(failure(try fixture.sign(header: "{\(member)\"alg\":\"ES256\"}"))?.isMalformed == true)
    }

    @Test(arguments: ["not base64", "", "AAAA", "e30=", "Zm9v\n"])
    func refusesCertificatesThatAreNone(entry: String) throws {
        let escaped = entry.replacing("\n", with: "\\n")
        let good = VerificationFixture.list([fixture.chain.leaf]).dropFirst().dropLast()
        for list in ["\"\(escaped)\",\(good),\(good)", "\(good),\"\(escaped)\",\(good)", "\"\(escaped)\""] {
            let text = try fixture.sign(header: "{\"alg\":\"ES256\",\"x5c\":[\(list)]}")
            #expect(failure(text)?.isMalformed == true)
        }
    }

    @Test func refusesCertificatesInBase64URL() throws {
        let entries = fixture.headerCertificates.map {
            "\"" + String(decoding: Base64URL.encode($0.der), as: UTF8.self) + "=\""
        }
        let text = try fixture.sign(header: "{\"alg\":\"ES256\",\"x5c\":[\(entries.joined(separator: ","))]}")
        #expect(failure(text)?.isMalformed == true)
    }

    @Test(arguments: ["[]", "\"text\"", "1", "null", "", "{", "{}{}", "{\"alg\":\"ES256\",}"])
    func refusesHeadersThatAreNoObject(header: String) throws {
        #expect(failure(try fixture.sign(header: header))?.isMalformed == true)
    }

    @Test(arguments: ["[]", "\"text\"", "1", "null", "", "{", "{}{}", "{\"a\":1,}", "{\"a\":\u{1}}", "\u{FEFF}{}"])
    func refusesPayloadsThatAreNoObject(payload: String) throws {
        #expect(failure(try fixture.chain.signer.sign(Array(payload.utf8)))?.isMalformed == true)
    }

    @Test func refusesPayloadsThatAreNotUTF8() throws {
        let payload = Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)
        #expect(failure(try fixture.chain.signer.sign(payload))?.isMalformed == true)
    }

    @Test func refusesPaddingAndOtherCharactersInEverySegment() throws {
        let segments = try fixture.chain.signer.sign(VerificationFixture.payload()).split(separator: ".").map(
            String.init
        )
        for index in segments.indices {
            for suffix in ["=", "==", "\n", " ", "+", "/", "%3D"] {
                var spoiled = segments
                spoiled[index] += suffix
                #expect(throws: VerificationError.self) {
                    try verifier.verify(spoiled.joined(separator: "."), now: now)
                }
            }
        }
    }

    @Test func refusesUnusedBitsThatAreNotZero() throws {
        let text = try fixture.chain.signer.sign(VerificationFixture.payload())
        #expect(failure(text) == nil)
        // 64 bytes take 86 characters, the last of which has four bits to spare.
        let last = try #require(text.last)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let value = try #require(alphabet.firstIndex(of: last))
        #expect(value % 16 == 0)
        #expect(failure(text.dropLast() + String(alphabet[value + 1])) == .malformed("the signature is not base64url"))
    }

    @Test func refusesWhatIsTooLargeBeforeLookingAtIt() throws {
        let limited = try fixture.verifier { $0.maximumBytes = 1_000 }
        let text = String(repeating: "!", count: 1_001)
        #expect(verificationError { _ = try limited.verify(text, now: now) } == .tooLarge(limit: 1_000))
        let shorter = String(repeating: "!", count: 1_000)
        #expect(verificationError { _ = try limited.verify(shorter, now: now) }?.isMalformed == true)
        let statement = try fixture.chain.signer.sign(VerificationFixture.payload())
        #expect(verificationError { _ = try limited.verify(statement, now: now) } == .tooLarge(limit: 1_000))
    }

    @Test func acceptsALongStatementWithinTheLimit() throws {
        let filler = String(repeating: "x", count: 150_000)
        let text = try fixture.chain.signer.sign(VerificationFixture.payload("\"filler\":\"\(filler)\""))
        #expect(try verifier.verify(text, now: now).json["filler"]?.stringValue == filler)
    }

    @Test func messagesSayNothingOfThePayload() throws {
        let text = try fixture.chain.signer.sign(Array("{\"secret\":\"hunter2\"".utf8))
        let message = try #require(failure(text)).description
        #expect(!message.contains("hunter2"))
        #expect(!message.contains("secret"))
    }
}
