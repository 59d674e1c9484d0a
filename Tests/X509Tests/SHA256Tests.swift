import Testing
import X509

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-4, published by NIST with the standard.
    static let examples: [(message: String, digest: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test(arguments: examples) func hashesThePublishedExamples(message: String, digest: String) {
        #expect(SHA256.hash(Array(message.utf8)).description == digest)
    }

    @Test func hashesPiecesAsOneMessage() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let whole = SHA256.hash(message)
        for cut in message.indices {
            var hash = SHA256()
            hash.update(Array(message[..<cut]))
            hash.update(Array(message[cut...]))
            #expect(hash.finalize() == whole)
        }
    }

    @Test func aCopyContinuesFromTheCommonBeginning() {
        var beginning = SHA256()
        beginning.update(Array("ab".utf8))
        var first = beginning
        var second = beginning
        first.update(Array("c".utf8))
        second.update(Array("d".utf8))
        #expect(first.finalize() == SHA256.hash(Array("abc".utf8)))
        #expect(second.finalize() == SHA256.hash(Array("abd".utf8)))
        #expect(beginning.finalize() == SHA256.hash(Array("ab".utf8)))
    }

    @Test func hashesSpans() {
        let message = Array("abc".utf8)
        #expect(SHA256.hash(message.span) == SHA256.hash(message))
    }

    @Test func aDigestKeepsItsBytes() throws {
        let digest = SHA256.hash(Array("abc".utf8))
        #expect(digest.bytes == bytes(hex: digest.description))
        #expect(SHA256Digest(bytes: digest.bytes) == digest)
        #expect(SHA256Digest(bytes: digest.bytes.dropLast()) == nil)
        #expect(SHA256Digest(bytes: digest.bytes + [0]) == nil)
        var other = digest.bytes
        other[31] ^= 1
        #expect(SHA256Digest(bytes: other) != digest)
    }
}
