import Testing
import X509

/// Signatures built by hand from keys whose private number is known, to reach the corners of FIPS 186-5 section 6.4.2
/// that no signer ever produces; each is put to the plain verification and to the one with a table.
@Suite struct P256EdgeTests {
    /// The base point: the public key whose private number is 1.
    static let baseX = "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"
    static let baseY = "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"
    /// A point whose x lies between the order and the field's prime: it is the order plus 3.
    static let highX = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632554"
    static let highY = "484F0C0FDA434EF0A808458914F328715D7A545E198AC7EEE31DFFE861B5D23F"

    static let zero = String(repeating: "0", count: 64)
    static let one = String(repeating: "0", count: 63) + "1"
    static let three = String(repeating: "0", count: 63) + "3"
    static let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
    static let orderPlusOne = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632552"
    /// 1 - x of the base point.
    static let oneLessBaseX = "94E82E0C1ED3BDB90743191A9C5BBF0D45E37D2C792C6AE3FF18917D23CA62BC"
    /// - x of the base point.
    static let minusBaseX = "94E82E0C1ED3BDB90743191A9C5BBF0D45E37D2C792C6AE3FF18917D23CA62BB"
    /// Twice x of the base point.
    static let twiceBaseX = "D62FA3E5C258848FF179CDCAC74881E4EE06FB025BD66741E942728BB131852C"

    struct Example: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var key = baseX + baseY
        let digest: String
        let r: String
        let s: String
        let isValid: Bool
    }

    static let examples = [
        Example(testDescription: "s is 1", digest: oneLessBaseX, r: baseX, s: one, isValid: true),
        Example(
            testDescription: "s is 1 plus the order",
            digest: oneLessBaseX,
            r: baseX,
            s: orderPlusOne,
            isValid: false
        ),
        Example(testDescription: "both products are one point", digest: baseX, r: baseX, s: twiceBaseX, isValid: true),
        Example(testDescription: "the sum is infinity", digest: minusBaseX, r: baseX, s: one, isValid: false),
        Example(testDescription: "r is 0 and so is the sum's x", digest: zero, r: zero, s: one, isValid: false),
        Example(testDescription: "s is the order", digest: oneLessBaseX, r: baseX, s: order, isValid: false),
        Example(
            testDescription: "x of the sum is past the order",
            key: highX + highY,
            digest: zero,
            r: three,
            s: three,
            isValid: true
        ),
        Example(
            testDescription: "r is past the order",
            key: highX + highY,
            digest: zero,
            r: highX,
            s: highX,
            isValid: false
        ),
    ]

    @Test(arguments: examples) func bothWaysAgree(example: Example) throws {
        let key = try #require(P256PublicKey(point: bytes(hex: "04" + example.key)))
        let digest = try #require(SHA256Digest(bytes: bytes(hex: example.digest)))
        let signature = bytes(hex: example.r + example.s)
        #expect(key.isValidSignature(signature, digest: digest) == example.isValid)

        let verifier = P256RepeatedVerifier(key, threshold: 1)
        let known = try #require(Self.examples.first { $0.key == example.key && $0.isValid })
        let isTableMade = try verifier.isValidSignature(
            bytes(hex: known.r + known.s),
            digest: #require(SHA256Digest(bytes: bytes(hex: known.digest)))
        )
        #expect(isTableMade)
        #expect(verifier.hasTable)
        #expect(verifier.isValidSignature(signature, digest: digest) == example.isValid)
    }
}
