import Testing
import X509

@Suite struct CertificateTests {
    @Test func saysWhatItsTemplateSaid() throws {
        var authority = try TestAuthority()
        authority.leafTemplate.organization = "Größe, Inc."
        authority.leafTemplate.serialNumber = 0x0123_4567_89AB
        let leaf = try authority.leaf()
        #expect(leaf.subject == #"CN=Test Leaf,O=Größe\, Inc."#)
        #expect(leaf.issuer == "CN=Test Intermediate")
        #expect(leaf.serialNumber == "0123456789ab")
        #expect(leaf.validity == TestAuthority.validity)
        #expect(leaf.publicKeyKind == .p256)
        #expect(leaf.hasExtension(oid: TestAuthority.leafMarker))
        #expect(!leaf.hasExtension(oid: TestAuthority.intermediateMarker))
        #expect(!leaf.hasExtension(oid: "no identifier"))
        #expect(!leaf.isCertificateAuthority)
        #expect(!leaf.isSelfSigned)
        #expect(P256PublicKey(leaf) == authority.leafKey.publicKey)
    }

    @Test(arguments: EllipticCurve.allCases) func knowsAnAuthority(curve: EllipticCurve) throws {
        let authority = try TestAuthority(curve: curve)
        #expect(try authority.root().isCertificateAuthority)
        #expect(try authority.root().isSelfSigned)
        #expect(try authority.root().publicKeyKind == (curve == .p256 ? .p256 : .p384))
        #expect(try authority.intermediate().isCertificateAuthority)
        #expect(try !authority.intermediate().isSelfSigned)
    }

    @Test func ownNameAloneIsNotSelfSigned() throws {
        var authority = try TestAuthority()
        authority.intermediateTemplate.commonName = authority.rootTemplate.commonName
        authority.intermediateTemplate.organization = authority.rootTemplate.organization
        #expect(try !authority.intermediate().isSelfSigned)
    }

    @Test(arguments: [
        Int64(-86_400_000), 0, 1_767_225_600_000, 2_524_607_999_000, 2_524_608_000_000, 32_503_680_000_000,
    ])
    func keepsDatesInBothEncodingsOfTime(instant: Int64) throws {
        let template = CertificateTemplate(
            commonName: "Dates",
            validity: CertificateValidity(notBefore: instant, notAfter: instant + 1_999)
        )
        let certificate = try CertificateIssuer.selfSigned(template, key: ECPrivateKey.generate(.p256))
        #expect(certificate.validity.notBefore == instant)
        #expect(certificate.validity.notAfter == instant + 1_000)
    }

    @Test func theSameBytesAreTheSameCertificate() throws {
        let first = try TestAuthority().root()
        let second = try TestAuthority().root()
        #expect(try Certificate(der: first.der) == first)
        #expect(first != second)
        #expect(first.fingerprint == SHA256.hash(first.der))
    }

    @Test func comesBackFromText() throws {
        let authority = try TestAuthority()
        let root = try authority.root()
        let leaf = try authority.leaf()
        #expect(try Certificate(pem: root.pem) == root)
        #expect(try Certificate.load(pem: "A note\n" + root.pem + "\r\n" + leaf.pem) == [root, leaf])
        #expect(try Certificate.load(pem: root.pem.split(separator: "\n").joined(separator: "\r\n")) == [root])
        #expect(try Certificate.load(file: root.der) == [root])
        #expect(try Certificate.load(file: Array((root.pem + leaf.pem).utf8)) == [root, leaf])
        #expect(throws: X509Error.self) { try Certificate(pem: root.pem + leaf.pem) }
    }

    @Test(arguments: [
        "", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\nAAAA\n",
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "-----END CERTIFICATE-----\n",
    ])
    func refusesTextThatIsNoCertificate(text: String) {
        #expect(throws: X509Error.self) { try Certificate.load(pem: text) }
        #expect(throws: X509Error.self) { try Certificate.load(file: Array(text.utf8)) }
    }

    @Test func refusesBytesThatAreNotExactlyOneCertificate() throws {
        let der = try TestAuthority().root().der
        for bytes in [[], [0x30], Array(der.dropLast()), der + [0], der + der, Array(der.dropFirst())] {
            #expect(throws: X509Error.self) { try Certificate(der: bytes) }
        }
    }

    @Test func refusesASecondEncodingOfACertificate() throws {
        let der = try TestAuthority().root().der
        // The outer length once more, in three bytes where two suffice: BER, but not DER.
        #expect(Array(der[..<2]) == [0x30, 0x82])
        #expect(throws: X509Error.self) { try Certificate(der: [0x30, 0x83, 0x00] + der[2...]) }
    }

    @Test func neverTrapsOnSpoiledBytes() throws {
        let der = try TestAuthority().leaf().der
        for index in der.indices {
            for value: UInt8 in [0x00, 0x7F, 0x80, 0xFF] {
                var spoiled = der
                spoiled[index] = value
                guard let certificate = try? Certificate(der: spoiled) else { continue }
                #expect(certificate.der == spoiled)
                _ = (
                    certificate.subject, certificate.publicKeyKind, P256PublicKey(certificate), certificate.isSelfSigned
                )
            }
        }
    }
}
