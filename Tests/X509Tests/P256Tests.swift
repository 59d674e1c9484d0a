import Testing
import X509

@Suite struct P256Tests {
    /// RFC 6979 appendix A.2.5.
    static let publishedKey =
        bytes(
            hex: """
                04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
                7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299
                """
        )
    static let publishedSignatures: [(message: String, signature: String)] = [
        (
            "sample",
            """
            EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
            F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
            """
        ),
        (
            "test",
            """
            F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367
            019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083
            """
        ),
    ]
    /// The order of the group: no number in a signature reaches it.
    static let order = bytes(hex: "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")

    @Test(arguments: publishedSignatures) func acceptsPublishedSignatures(message: String, signature: String) throws {
        let key = try #require(P256PublicKey(point: Self.publishedKey))
        #expect(key.isValidSignature(bytes(hex: signature), over: Array(message.utf8)))
        #expect(!key.isValidSignature(bytes(hex: signature), over: Array((message + ".").utf8)))
    }

    @Test func refusesEveryFlippedBit() throws {
        let key = try #require(P256PublicKey(point: Self.publishedKey))
        let signature = bytes(hex: Self.publishedSignatures[0].signature)
        let digest = SHA256.hash(Array("sample".utf8))
        for bit in 0..<512 {
            var spoiled = signature
            spoiled[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.isValidSignature(spoiled, digest: digest))
        }
    }

    @Test func refusesNumbersOutsideTheGroup() throws {
        let key = try #require(P256PublicKey(point: Self.publishedKey))
        let good = bytes(hex: Self.publishedSignatures[0].signature)
        let zero = [UInt8](repeating: 0, count: 32)
        let highest = [UInt8](repeating: 0xFF, count: 32)
        for number in [zero, Self.order, highest] {
            for signature in [number + good[32...], good[..<32] + number, number + number] {
                #expect(!key.isValidSignature(signature, over: Array("sample".utf8)))
            }
        }
    }

    @Test func refusesSignaturesOfAnotherLength() throws {
        let key = try P256PrivateKey.generate()
        let signature = try key.sign([1, 2, 3])
        #expect(key.publicKey.isValidSignature(signature, over: [1, 2, 3]))
        for spoiled in [[], Array(signature.dropLast()), signature + [0], [0] + signature, signature + signature] {
            #expect(!key.publicKey.isValidSignature(spoiled, over: [1, 2, 3]))
        }
    }

    @Test func refusesTheSignatureOfAnotherKey() throws {
        let signature = try P256PrivateKey.generate().sign([1])
        #expect(try !P256PrivateKey.generate().publicKey.isValidSignature(signature, over: [1]))
    }

    @Test func refusesPointsThatAreNone() {
        var offCurve = Self.publishedKey
        offCurve[64] ^= 1
        #expect(P256PublicKey(point: offCurve) == nil)
        #expect(P256PublicKey(point: [0]) == nil)
        #expect(P256PublicKey(point: []) == nil)
        #expect(P256PublicKey(point: Self.publishedKey + [0]) == nil)
        #expect(P256PublicKey(point: [4] + [UInt8](repeating: 0, count: 64)) == nil)
    }

    @Test func aKeyComesBackFromItsText() throws {
        let key = try P256PrivateKey.generate()
        let text = try key.pem()
        #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let copy = try P256PrivateKey(pem: text)
        #expect(copy.publicKey == key.publicKey)
        #expect(key.publicKey.isValidSignature(try copy.sign([7]), over: [7]))
    }

    @Test func readsTheOlderFormToo() throws {
        // Made with `openssl ecparam -name prime256v1 -genkey -noout`; used nowhere else.
        let key = try P256PrivateKey(
            pem: """
                -----BEGIN EC PRIVATE KEY-----
                MHcCAQEEIF+Dmr6NXkdN7k+cRe/tcr3jI9ljkS+peHpSI003ebk5oAoGCCqGSM49
                AwEHoUQDQgAEyMOX8ItCtWrncC2txdjzqB9oMCm73eqsoKRo5PjErOVUEsJRypoW
                rMDsntK8Tw29mpjmCc93b8t2FRe4sM6mZQ==
                -----END EC PRIVATE KEY-----
                """
        )
        #expect(key.publicKey.isValidSignature(try key.sign([7]), over: [7]))
    }

    @Test func refusesKeysOfAnotherKindAndText() throws {
        let p384 = try ECPrivateKey.generate(.p384)
        let ed25519 = try Ed25519PrivateKey.generate()
        for text in [
            try p384.pem(), try ed25519.pem(), "", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        ] {
            #expect(throws: X509Error.self) { try P256PrivateKey(pem: text) }
        }
        #expect(throws: X509Error.self) { try P256PrivateKey(p384) }
    }

    @Test func refusesAnEncryptedKeyWithoutAskingForItsPassword() throws {
        // Made with `openssl pkcs8 -topk8 -v2 aes-128-cbc`; used nowhere else.
        let text = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiayN8x1W/C9wICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEELVt1IimJKe+eUiD9Ctj+w0EgZAM
            MMb+Ne9sf+PLtwICjmilH4s1uYlNq2IF8yY2A/BrvlYSZGHMj/OMC48PSZB4ifuG
            VX9UcB/0pXrTzLIr1lglHi6iBy5c8bkNCTAe0eUjpscK1kO2UAY+QD3dz0CWxreD
            UrMbT9TZePEApI2YjNX+sEQjDpRN0S2MiQpMuz8x4roRY0RIrtxmfqDV+qgNVG0=
            -----END ENCRYPTED PRIVATE KEY-----
            """
        #expect(throws: X509Error.self) { try P256PrivateKey(pem: text) }
    }

    @Test func signsAndVerifiesOnManyThreadsWithOneKey() async throws {
        let key = try P256PrivateKey.generate()
        await withTaskGroup(of: Bool.self) { group in
            for worker in UInt8(0)..<8 {
                group.addTask {
                    (UInt8(0)..<25).allSatisfy { round in
                        guard let signature = try? key.sign([worker, round]) else { return false }
                        return key.publicKey.isValidSignature(signature, over: [worker, round])
                            && !key.publicKey.isValidSignature(signature, over: [worker, round, 0])
                    }
                }
            }
            for await allHold in group { #expect(allHold) }
        }
    }
}
