import Compression
import TestKit
import Testing
import X509

@testable import EventStore

@Suite struct EvidenceCodecTests {
    private let codec = EvidenceCodec()

    private func roundTrip(_ text: [UInt8], _ location: SourceLocation = #_sourceLocation) throws
        -> EvidenceCodec.Encoded
    {
        let encoded = codec.encode(text)
        #expect(try decode(encoded) == text, "\(String(decoding: text, as: UTF8.self))", sourceLocation: location)
        #expect(encoded.bytes.count <= text.count + 1, sourceLocation: location)
        return encoded
    }

    private func decode(_ encoded: EvidenceCodec.Encoded) throws -> [UInt8] {
        let chains = Dictionary(uniqueKeysWithValues: encoded.chains.map { ($0.id, $0.text) })
        return try codec.decode(encoded.bytes.span) { chains[$0] }
    }

    @Test func aNotificationIsSmallAndItsChainStandsBesideIt() throws {
        let list = SignedText.certificates(length: 3_000)
        let text = SignedText.notification(7, certificates: list)
        let encoded = try roundTrip(text)
        #expect(text.count > 40_000)
        #expect(encoded.bytes.count < 500)
        #expect(encoded.bytes.first == EvidenceFormat.Form.marked)
        #expect(encoded.chains.map(\.text) == [Array(list.utf8)])
        #expect(encoded.chains.map(\.id) == (try EvidenceCodec.chains(in: encoded.bytes.span)))
        // A second one is encoded from remembered headers, and to the same bytes.
        #expect(codec.encode(text) == encoded)
        #expect(EvidenceCodec().encode(text) == encoded)
    }

    @Test func eachChainOfATextIsNamedOnce() throws {
        let texts = (0..<3).map { number in
            String(
                decoding: SignedText.of("{\"n\":\(number)}", certificates: SignedText.certificates(number)),
                as: UTF8.self
            )
        }
        let outer = SignedText.of(
            #"{"a":"\#(texts[0])","b":"\#(texts[1])","c":"\#(texts[2])","d":"\#(texts[1])"}"#,
            certificates: SignedText.certificates(0)
        )
        #expect(try roundTrip(outer).chains.count == 3)
    }

    @Test(arguments: [
        "", ".", "..", "...", "a.b.c", "signed text", "MIIB", "TWFu", "TWE=", "TQ==", "TR==", "eyJ", "\u{0}",
        "\u{1}\u{2}\u{3}",
        "{\"x5c\":[\"a\"]}", "Ünïcödé 🏷", "a\nb", String(repeating: "A", count: 100_000), "=", "====",
    ])
    func anyTextComesBack(text: String) throws {
        _ = try roundTrip(Array(text.utf8))
    }

    @Test func bytesThatAreNoUnicodeComeBack() throws {
        _ = try roundTrip([0xFF, 0xFE, 0x00, 0x80])
        _ = try roundTrip(Array(0...255))
    }

    @Test(arguments: [
        // What a header may look like.
        (#"{"alg":"ES256"}"#, "{}"), (#"{"alg":"ES256","x5c":[]}"#, "{}"), (#"{"alg":"ES256","x5c":["#, "{}"),
        (#"{"x5c":[],"x5c":\#(SignedText.certificates())}"#, "{}"), (#"{"x5c" : \#(SignedText.certificates())}"#, "{}"),
        (#" { "kid":"Apple_Xcode_Key","x5c":\#(SignedText.certificates()),"typ":"JWT" } "#, "{}"), ("", ""),
        ("[]", "[]"),
        ("no json", "no json"),
        // What a payload may look like.
        (#"{"alg":"ES256"}"#, "\u{1}0\u{2}\u{3}\u{4}"), (#"{"alg":"ES256"}"#, "\u{0}"),
        (#"{"alg":"ES256"}"#, #"{"a":"eyJ"#),
        (#"{"alg":"ES256"}"#, #"{"a":"eyJ","b":"eyJ.eyJ.eyJ"}"#), (#"{"alg":"ES256"}"#, #""eyJ"#),
        (#"{"alg":"ES256"}"#, "\""),
    ])
    func unusualSignedTextsComeBack(header: String, payload: String) throws {
        _ = try roundTrip(SignedText.of(payload, header: header))
        let inner = String(decoding: SignedText.of(payload, header: header), as: UTF8.self)
        _ = try roundTrip(SignedText.of(#"{"a":"\#(inner)","b":"\#(inner)"}"#))
    }

    @Test func signedTextsInSignedTextsComeBackHoweverDeep() throws {
        var text = SignedText.of("{}")
        for _ in 0..<7 {
            text = SignedText.of(#"{"inner":"\#(String(decoding: text, as: UTF8.self))"}"#)
            _ = try roundTrip(text)
        }
    }

    @Test func manySignedTextsAndChainsInOneComeBack() throws {
        for (count, chains) in [(500, 1), (30, 30)] {
            let members = (0..<count).map { number in
                let list = SignedText.certificates(number % chains, length: 96)
                let text = SignedText.of("{\"n\":\(number)}", certificates: list)
                return #""\#(String(decoding: text, as: UTF8.self))""#
            }
            let encoded = try roundTrip(SignedText.of("[\(members.joined(separator: ","))]"))
            #expect(encoded.chains.count <= EvidenceFormat.mostChains)
        }
    }

    @Test func aReceiptIsStoredAsTheBytesItStandsFor() throws {
        let bytes = (0..<200).flatMap { SHA256.hash(Array("\($0)".utf8)).bytes }
        let text = Base64.encode(bytes)
        let encoded = try roundTrip(text)
        #expect(encoded.bytes.first == EvidenceFormat.Form.base64)
        #expect(encoded.bytes.count < bytes.count + 64)
        // With a line break it is no strict base64, and comes back with it.
        #expect(try roundTrip(Array(text[..<76]) + [10] + Array(text[76...])).bytes.first != EvidenceFormat.Form.base64)
    }

    @Test func randomChangesOfSignedTextsComeBack() throws {
        let seed = SeededGenerator.seedOfThisRun("randomChangesOfSignedTextsComeBack")
        var random = SeededGenerator(seed: seed)
        let lists = (0..<40).map { SignedText.certificates($0, length: 96) }
        for number in 0..<1_000 {
            var text = SignedText.notification(number, certificates: lists.randomElement(using: &random)!)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text[place] = UInt8.random(in: 0...255, using: &random)
                case 1: text.remove(at: place)
                case 2: text.insert(text.randomElement(using: &random)!, at: place)
                default: text[place] = UInt8(ascii: ".")
                }
            }
            #expect(try decode(codec.encode(text)) == text, "seed \(seed), number \(number)")
        }
    }

    /// Whatever somebody wrote into the table: an error or another text, never a crash.
    @Test func damagedBytesAreAnErrorOrAnotherText() throws {
        let seed = SeededGenerator.seedOfThisRun("damagedBytesAreAnErrorOrAnotherText")
        var random = SeededGenerator(seed: seed)
        let text = SignedText.notification(1)
        let encoded = codec.encode(text)
        let opened = MarkedText(text.span, headers: KnownHeaders())
        let marked = try #require(opened)
        var unnoticed = 0
        for number in 0..<4_000 {
            var damaged = encoded
            if number % 2 == 0 {
                let place = Int.random(in: 0..<damaged.bytes.count, using: &random)
                damaged.bytes[place] ^= UInt8.random(in: 1...255, using: &random)
                if number % 8 == 0 { damaged.bytes.removeSubrange(place...) }
            } else {
                // Marks in other places, in a frame that is whole.
                var bytes = marked.bytes
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] = UInt8.random(in: 0..<8, using: &random)
                }
                let head = encoded.bytes.prefix(2 + 16 * encoded.chains.count + 1 + marked.signatures.count)
                damaged.bytes = Array(head) + (try EvidenceFormat.dictionary.compress(bytes))
            }
            if damaged != encoded, (try? decode(damaged)) == text { unnoticed += 1 }
        }
        // Zstandard has a bit that means nothing, and its sizes can be written in several ways.
        #expect(unnoticed < 40, "seed \(seed)")
    }

    @Test func whatIsMissingIsSaid() throws {
        let encoded = codec.encode(SignedText.notification(1))
        let missing = #expect(throws: EvidenceError.self) { _ = try codec.decode(encoded.bytes.span) { _ in nil } }
        #expect(missing?.reason.contains(Hexadecimal.text(encoded.chains[0].id.bytes)) == true)
        let unknown = #expect(throws: EvidenceError.self) { _ = try codec.decode([200, 1].span) { _ in nil } }
        #expect(unknown?.reason == "its form 200 is not known to this version")
        #expect(throws: EvidenceError.self) { _ = try codec.decode([UInt8]().span) { _ in nil } }
    }

    /// The dictionary is a part of the format: what was stored with it cannot be read with another one.
    @Test func theDictionaryIsTheOneOfTheFormat() {
        let digest = SHA256.hash(PackageResources.dictionary_1_bin)
        #expect(Hexadecimal.text(digest.bytes) == "6b372e5371fac8ece95fd52497c98200603395d35b8f2f26343843086381e402")
    }
}
