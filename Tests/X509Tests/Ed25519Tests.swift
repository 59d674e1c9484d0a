import Testing
import X509

@Suite struct Ed25519Tests {
    /// RFC 8032 section 7.1, tests 1 and 2.
    static let examples: [(seed: String, key: String, message: String, signature: String)] = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            """
            e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
            5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
            """
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            """
            92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
            085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
            """
        ),
    ]

    @Test(arguments: examples)
    func signsThePublishedExamples(seed: String, key: String, message: String, signature: String) throws {
        let privateKey = try Ed25519PrivateKey(seed: bytes(hex: seed))
        #expect(privateKey.publicKey.bytes == bytes(hex: key))
        #expect(try privateKey.sign(bytes(hex: message)) == bytes(hex: signature))
    }

    @Test(arguments: examples)
    func acceptsAndRefuses(seed: String, key: String, message: String, signature: String) throws {
        let publicKey = try Ed25519PublicKey(bytes: bytes(hex: key))
        let message = bytes(hex: message)
        let signature = bytes(hex: signature)
        #expect(publicKey.isValidSignature(signature, over: message))
        #expect(!publicKey.isValidSignature(signature, over: message + [0]))
        for index in signature.indices {
            var spoiled = signature
            spoiled[index] ^= 1
            #expect(!publicKey.isValidSignature(spoiled, over: message))
        }
        #expect(!publicKey.isValidSignature(Array(signature.dropLast()), over: message))
        #expect(!publicKey.isValidSignature(signature + [0], over: message))
    }

    @Test func aKeyComesBackFromItsText() throws {
        let key = try Ed25519PrivateKey.generate()
        let copy = try Ed25519PrivateKey(pem: key.pem())
        #expect(copy.publicKey == key.publicKey)
        #expect(try copy.sign([1, 2]) == key.sign([1, 2]))
    }

    @Test func refusesKeysOfAnotherKindOrLength() throws {
        let other = try P256PrivateKey.generate().pem()
        #expect(throws: X509Error.self) { try Ed25519PrivateKey(pem: other) }
        #expect(throws: X509Error.self) { try Ed25519PrivateKey(seed: [UInt8](repeating: 1, count: 31)) }
        #expect(throws: X509Error.self) { try Ed25519PublicKey(bytes: [UInt8](repeating: 1, count: 33)) }
    }
}
