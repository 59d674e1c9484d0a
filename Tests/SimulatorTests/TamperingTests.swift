import JSON
import Testing
import X509

@testable import Simulator

@Suite struct TamperingTests {
    private let signer = SignedText.signing.appStore.signer

    private func parts(_ text: String) -> [String] {
        text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func aSpoiledSignatureDiffersInOneBit() throws {
        let text = try signer.sign(Array(#"{"a":1}"#.utf8))
        let spoiled = Tampering.signature.spoil(text)
        #expect(parts(spoiled).prefix(2) == parts(text).prefix(2))
        let before = try #require(Base64URL.decode(parts(text)[2].utf8))
        let after = try #require(Base64URL.decode(parts(spoiled)[2].utf8))
        #expect(zip(before, after).map { ($0 ^ $1).nonzeroBitCount }.reduce(0, +) == 1)
        #expect(SignedText.genuinePayload(of: text) != nil)
        #expect(SignedText.genuinePayload(of: spoiled) == nil)
    }

    @Test(arguments: [#"{"signedDate":1772323200000}"#, #"{"a":"x1","signedDate":1999}"#, #"{"a":"b"}"#, "{}"])
    func aSpoiledPayloadIsBase64URLOfOtherBytes(payload: String) throws {
        let text = try signer.sign(Array(payload.utf8))
        let spoiled = Tampering.payload.spoil(text)
        #expect(parts(spoiled)[0] == parts(text)[0])
        #expect(parts(spoiled)[2] == parts(text)[2])
        let after = try #require(SignedText.payload(of: spoiled))
        #expect(zip(after, payload.utf8).count { $0 != $1 } == 1)
        #expect(after.count == payload.utf8.count)
        #expect(SignedText.genuinePayload(of: spoiled) == nil)
    }

    @Test func aSpoiledPayloadWithNumbersIsJSONStill() throws {
        let text = Tampering.payload.spoil(try signer.sign(Array(#"{"signedDate":1772323200999}"#.utf8)))
        let payload = try #require(SignedText.payload(of: text))
        #expect(String(decoding: payload, as: UTF8.self) == #"{"signedDate":1772323200990}"#)
    }
}
