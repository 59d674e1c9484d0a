import Testing
import X509

@Suite struct Base64Tests {
    /// RFC 4648 section 10.
    static let examples: [(text: String, encoded: String)] = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: examples) func encodesAndDecodesTheExamplesOfTheStandard(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == Array(encoded.utf8))
        #expect(Base64.decode(encoded.utf8) == Array(text.utf8))
        let bare = encoded.filter { $0 != "=" }
        #expect(Base64URL.encode(Array(text.utf8)) == Array(bare.utf8))
        #expect(Base64URL.decode(bare.utf8) == Array(text.utf8))
    }

    @Test func everyByteComesBack() {
        for count in 0..<260 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test func theAlphabetsDifferInTwoCharacters() {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF]
        #expect(Base64.encode(bytes) == Array("++++////".utf8))
        #expect(Base64URL.encode(bytes) == Array("----____".utf8))
        #expect(Base64.decode("----____".utf8) == nil)
        #expect(Base64URL.decode("++++////".utf8) == nil)
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Z===", "====", "=", "==", "Zm8", "Zm9v=", "Zm9v==", "Zm9v====", "Zg==Zg==", "Zm=v", "Z",
        "Zh==", "Zm9=", "Zm9vZh==", "Zm9v\n", "Zm 9v", "Zm9v Zm9v", "Zm9-", "Zm9é", "\u{0}m9v",
        "Zm9v\u{0}\u{0}\u{0}\u{0}",
    ])
    func refusesAnythingButOneCanonicalStandardText(text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }

    @Test(arguments: [
        "Zg==", "Zm8=", "Z", "Zm9vZ", "Zh", "Zm9", "Zm9vZh", "Zm9vZm9", "Zm9v\n", "Zm 9", "Zm9/", "Zm9+", "Zm9.", "=",
        "Zm9v=",
        "é", "Zm9vé", "\u{0}m9v",
    ])
    func refusesAnythingButOneCanonicalURLText(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test func refusesEveryCharacterOutsideTheAlphabetAtEveryPlace() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
            for place in 0..<8 {
                var text = Array("AAAAAAAA".utf8)
                text[place] = byte
                #expect(Base64URL.decode(text) == nil, "byte \(byte) at \(place)")
            }
        }
    }

    @Test func decodesSequencesWithoutContiguousStorage() {
        #expect(Base64.decode(AnySequence("Zm9v".utf8)) == Array("foo".utf8))
        #expect(Base64URL.decode(AnySequence("Zm8".utf8)) == Array("fo".utf8))
    }
}
