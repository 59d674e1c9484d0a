import Testing
import X509

@Suite struct SecretsTests {
    @Test func comparesByContent() {
        let secret: [UInt8] = [1, 2, 3, 4]
        #expect(ConstantTime.isEqual(secret, [1, 2, 3, 4]))
        #expect(ConstantTime.isEqual([], []))
        for other: [UInt8] in [[], [1, 2, 3], [1, 2, 3, 4, 5], [1, 2, 3, 5], [0, 2, 3, 4]] {
            #expect(!ConstantTime.isEqual(secret, other))
        }
    }

    @Test func comparesDigestsByContent() {
        #expect(ConstantTime.isEqual(SHA256.hash([1]), SHA256.hash([1])))
        #expect(!ConstantTime.isEqual(SHA256.hash([1]), SHA256.hash([2])))
    }

    @Test func randomBytesHaveTheirLengthAndDiffer() throws {
        #expect(try SecureRandom.bytes(0).isEmpty)
        let drawn = try (0..<50).map { _ in try SecureRandom.bytes(32) }
        #expect(drawn.allSatisfy { $0.count == 32 })
        #expect(Set(drawn).count == drawn.count)
    }

    @Test func hexadecimalHasTwoDigitsForEveryByte() {
        #expect(Hexadecimal.text([0x00, 0x0F, 0xA9, 0xFF]) == "000fa9ff")
        #expect(Hexadecimal.text([]) == "")
    }
}
