import Testing
import X509

@Suite struct SignedMessageTests {
    private static let content = Array("what was signed".utf8)

    private func message(
        _ authority: TestAuthority,
        digest: SignatureDigest = .sha256,
        encoding: MessageSigner.Encoding = .definite,
        content: [UInt8] = content
    ) throws -> [UInt8] {
        let signer = MessageSigner(
            certificate: try authority.leaf(),
            key: authority.leafKey.key,
            others: [try authority.intermediate(), try authority.root()],
            digest: digest,
            encoding: encoding
        )
        return try signer.sign(content)
    }

    @Test(arguments: SignatureDigest.allCases, MessageSigner.Encoding.allCases)
    func everyDigestAndEncodingIsRead(digest: SignatureDigest, encoding: MessageSigner.Encoding) throws {
        let authority = try TestAuthority()
        // Longer than one piece of a value written in pieces.
        let content = [UInt8](repeating: 7, count: 100_000)
        let bytes = try message(authority, digest: digest, encoding: encoding, content: content)
        #expect(bytes.starts(with: encoding == .indefinite ? [0x30, 0x80] : [0x30, 0x83]))
        let message = try SignedMessage(bytes)
        #expect(message.signer.subject == "CN=Test Leaf")
        #expect(message.certificates.count == 3)
        #expect(try message.verifiedContent() == content)
        // Asked again it says the same.
        #expect(try message.verifiedContent() == content)
    }

    @Test func changedContentIsNotVerified() throws {
        var bytes = try message(try TestAuthority())
        let place = try #require(bytes.firstRange(of: Self.content)).lowerBound
        bytes[place] ^= 1
        let message = try SignedMessage(bytes)
        #expect(throws: SignedMessageError.badSignature) { try message.verifiedContent() }
    }

    @Test func aSignatureByAnotherKeyIsNotVerified() throws {
        let (one, other) = (try TestAuthority(), try TestAuthority())
        // The certificate names one key, another one signs.
        let signer = MessageSigner(certificate: try one.leaf(), key: one.leafKey.key, others: [])
        var bytes = try signer.sign(Self.content)
        let foreign = try MessageSigner(certificate: try other.leaf(), key: other.leafKey.key, others: [])
            .sign(Self.content)
        // Both end in the signature, of nearly the same length.
        bytes.replaceSubrange((bytes.count - 40)..., with: foreign.suffix(40))
        let message = try SignedMessage(bytes)
        #expect(throws: SignedMessageError.badSignature) { try message.verifiedContent() }
    }

    @Test func whatIsNoMessageIsNamed() throws {
        let good = try message(try TestAuthority())
        for bytes in [[], [0x30], [0x30, 0x80], Array("no message".utf8), good + [0], Array(good.dropLast())] {
            let error = #expect(throws: SignedMessageError.self) { try SignedMessage(bytes) }
            #expect(error?.description.contains("not one PKCS#7 message") == true)
        }
        // A message of another type: plain data.
        let data: [UInt8] = [
            0x30, 0x0F, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01, 0xA0, 0x02, 0x04, 0x00,
        ]
        let error = #expect(throws: SignedMessageError.self) { try SignedMessage(data) }
        #expect(error?.description.contains("signedData") == true)
    }

    @Test func aChainWithSHA1HoldsOnlyWhereItIsAccepted() throws {
        var authority = try TestAuthority(curve: .p256)
        authority.rootTemplate.digest = .sha1
        authority.intermediateTemplate.digest = .sha1
        authority.leafTemplate.digest = .sha1
        let (leaf, intermediate) = (try authority.leaf(), try authority.intermediate())
        #expect(try authority.validate(leaf: leaf, intermediate: intermediate).failure != nil)
        let validator = try ChainValidator(roots: [authority.root()], strength: .legacy)
        let result = try validator.validateSigner(
            leaf: leaf,
            intermediate: intermediate,
            leafMarker: TestAuthority.leafMarker,
            intermediateMarker: TestAuthority.intermediateMarker
        )
        guard case .valid(let path) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(path.failure(at: TestAuthority.now) == nil)
        #expect(path.failure(at: TestAuthority.validity.notAfter + 1) == .expired(.leaf))
        #expect(path.failure(at: TestAuthority.validity.notBefore - 1) == .notYetValid(.leaf))
    }
}
