import AppStore
import JSON
import Simulator
import Testing
import X509

@Suite struct SignedStatementVerifierTests {
    let fixture: VerificationFixture
    let now = VerificationFixture.now
    let day = VerificationFixture.day

    init() throws {
        fixture = try VerificationFixture.shared.get()
    }

    /// What a fresh verifier says about `text`, twice: the second time its cache could answer.
    private func outcome(
        _ text: String,
        at instant: Int64 = VerificationFixture.now,
        _ change: (inout VerifierConfiguration) -> Void = { _ in }
    ) throws -> VerificationError? {
        let verifier = try fixture.verifier(change)
        let first = verificationError { _ = try verifier.verify(text, now: instant) }
        let second = verificationError { _ = try verifier.verify(text, now: instant) }
        #expect(first == second)
        #expect(verifier.cachedChainCount == (first == nil ? 1 : 0))
        return first
    }

    // MARK: Accepted

    @Test func acceptsAGenuineStatement() throws {
        let payload = VerificationFixture.payload("\"environment\":\"Production\"")
        let text = try fixture.chain.signer.sign(payload)
        let statement = try fixture.verifier().verify(text, now: now)
        #expect(statement.payload == payload)
        #expect(statement.payloadDigest == SHA256.hash(payload))
        #expect(statement.json["environment"]?.stringValue == "Production")
        #expect(statement.signedAt == now)
        #expect(statement.trust == .appStore)
        #expect(
            statement.chainFingerprint
                == SHA256.hash(fixture.chain.leaf.der + fixture.chain.intermediate.certificate.der)
        )
    }

    @Test func acceptsEveryFormOfBytes() throws {
        let text = try fixture.chain.signer.sign(VerificationFixture.payload())
        let verifier = try fixture.verifier()
        let bytes = Array(text.utf8)
        #expect(try verifier.verify(text, now: now).payload == verifier.verify(bytes, now: now).payload)
        #expect(try verifier.verify(bytes.span, now: now).payload == VerificationFixture.payload())
    }

    @Test func ignoresTypeKeyIdentifierAndUnknownMembersOfTheHeader() throws {
        let header =
            "{\"kid\":\"anything\",\"typ\":7,\"new\":null,\"x5c\":\(VerificationFixture.list(fixture.headerCertificates)),\"alg\":\"ES256\"}"
        #expect(try outcome(fixture.sign(header: header)) == nil)
    }

    @Test func neverLooksAtTheThirdCertificate() throws {
        let stranger = try ThrowawayChain.make(validity: VerificationFixture.validity)
        let chain = fixture.chain
        for third in [stranger.root.certificate, chain.leaf] {
            let signer = StatementSigner(
                certificates: [chain.leaf, chain.intermediate.certificate, third],
                key: chain.key
            )
            #expect(try outcome(signer.sign(VerificationFixture.payload())) == nil)
        }
        let list = VerificationFixture.list([chain.leaf, chain.intermediate.certificate]).dropLast()
        #expect(try outcome(fixture.sign(header: "{\"alg\":\"ES256\",\"x5c\":\(list),\"no certificate\"]}")) == nil)
    }

    @Test func acceptsANewIntermediateBelowTheRoot() throws {
        let key = try ECPrivateKey.generate(.p256)
        let template = CertificateTemplate(
            commonName: "Next Intermediate",
            validity: VerificationFixture.validity,
            authority: .certificateAuthority(pathLength: 0),
            markers: [CertificateTemplate.Marker(oid: StatementMarker.intermediate)]
        )
        let next = CertificateIssuer(certificate: try fixture.chain.root.issue(template, to: key), key: key)
        let leafTemplate = CertificateTemplate(
            commonName: "Leaf",
            validity: VerificationFixture.validity,
            markers: [CertificateTemplate.Marker(oid: StatementMarker.leaf)]
        )
        let leafKey = try P256PrivateKey.generate()
        let leaf = try next.issue(leafTemplate, to: leafKey.key)
        let signer = StatementSigner(
            certificates: [leaf, next.certificate, fixture.chain.root.certificate],
            key: leafKey
        )
        #expect(try outcome(signer.sign(VerificationFixture.payload())) == nil)
    }

    // MARK: Signing date

    @Test(arguments: [
        ("\"signedDate\":1767225600000", Int64(1_767_225_600_000)),
        ("\"signedDate\":1767225600000.7297", 1_767_225_600_000),
        ("\"signedDate\":1767225600000.9997", 1_767_225_600_000),
        ("\"signedDate\":1.7672256e12", 1_767_225_600_000),
        ("\"receiptCreationDate\":1767225600001.5", 1_767_225_600_001),
        ("\"receiptCreationDate\":1,\"signedDate\":1767225600000", 1_767_225_600_000),
        ("\"signedDate\":1767225600000,\"receiptCreationDate\":1", 1_767_225_600_000),
        ("\"signedDate\":null,\"receiptCreationDate\":1767225600002", 1_767_225_600_002),
        ("\"signedDate\":1,\"signedDate\":1767225600003", 1_767_225_600_003),
        ("\"other\":1", nil),
        ("\"inner\":{\"signedDate\":1}", nil),
    ])
    func readsTheSigningDate(members: String, expected: Int64?) throws {
        let text = try fixture.chain.signer.sign(Array("{\(members)}".utf8))
        #expect(try fixture.verifier().verify(text, now: now).signedAt == expected)
    }

    @Test(arguments: ["\"1767225600000\"", "true", "[1767225600000]", "1e300", "-1e300", "9223372036854775808"])
    func takesASigningDateThatIsNoneAsAbsent(date: String) throws {
        let text = try fixture.chain.signer.sign(VerificationFixture.payload(signedDate: date))
        #expect(try fixture.verifier().verify(text, now: now).signedAt == nil)
    }

    @Test func judgesCertificatesByTheSigningDate() throws {
        // Long after the certificates' end: an archive stays verifiable.
        let text = try fixture.chain.signer.sign(VerificationFixture.payload())
        #expect(try outcome(text, at: now + 5_000 * day) == nil)
        for (date, expected) in [
            (now + 100 * day, nil), (now + 100 * day + 1, VerificationError.certificateExpired(.leaf)),
            (now - 100 * day, nil), (now - 100 * day - 1, .certificateNotYetValid(.leaf)),
        ] {
            let text = try fixture.chain.signer.sign(VerificationFixture.payload(signedDate: "\(date)"))
            #expect(try outcome(text) == expected)
        }
    }

    @Test func judgesCertificatesByTheClockWhereThereIsNoSigningDate() throws {
        let text = try fixture.chain.signer.sign(Array("{}".utf8))
        #expect(try outcome(text) == nil)
        #expect(try outcome(text, at: now + 101 * day) == .certificateExpired(.leaf))
        #expect(try outcome(text, at: now - 101 * day) == .certificateNotYetValid(.leaf))
    }

    @Test func aKnownChainStillHasItsDatesChecked() throws {
        let verifier = try fixture.verifier()
        _ = try verifier.verify(fixture.chain.signer.sign(VerificationFixture.payload()), now: now)
        let late = try fixture.chain.signer.sign(VerificationFixture.payload(signedDate: "\(now + 101 * day)"))
        #expect(verificationError { _ = try verifier.verify(late, now: now) } == .certificateExpired(.leaf))
    }

    @Test func onlyDatesAreTemporary() {
        #expect(VerificationError.certificateExpired(.leaf).isTemporary)
        #expect(VerificationError.certificateNotYetValid(.root).isTemporary)
        #expect(VerificationError.unavailable("").isTemporary)
        #expect(!VerificationError.badSignature.isTemporary)
        #expect(!VerificationError.untrustedChain(.unknownRoot).isTemporary)
        #expect(!VerificationError.malformed("").isTemporary)
    }

    // MARK: Signature

    @Test func refusesEveryFlippedCharacter() throws {
        let text = Array(try fixture.chain.signer.sign(VerificationFixture.payload()).utf8)
        let verifier = try fixture.verifier()
        _ = try verifier.verify(text, now: now)
        // The header is long: a sample of its places is enough.
        let payloadStart = try #require(text.firstIndex(of: UInt8(ascii: "."))) + 1
        let places = Array(stride(from: 0, to: payloadStart, by: 41)) + Array(payloadStart..<text.count)
        for place in places {
            var spoiled = text
            spoiled[place] = spoiled[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: VerificationError.self, "place \(place)") { try verifier.verify(spoiled, now: now) }
        }
        #expect(verifier.cachedChainCount == 1)
    }

    @Test func refusesAnotherPayloadUnderTheSignature() throws {
        let segments = try fixture.chain.signer.sign(VerificationFixture.payload()).split(separator: ".")
        let other = String(decoding: Base64URL.encode(VerificationFixture.payload("\"a\":1")), as: UTF8.self)
        #expect(try outcome("\(segments[0]).\(other).\(segments[2])") == .badSignature)
    }

    @Test func refusesASignatureByAnotherKey() throws {
        let signer = StatementSigner(certificates: fixture.headerCertificates, key: try P256PrivateKey.generate())
        #expect(try outcome(signer.sign(VerificationFixture.payload())) == .badSignature)
    }

    @Test func refusesASignatureInDER() throws {
        let segments = try fixture.chain.signer.sign(VerificationFixture.payload()).split(separator: ".")
        let raw = try #require(Base64URL.decode(segments[2].utf8))
        let integers = [raw[..<32], raw[32...]].map { half -> [UInt8] in
            var digits = Array(half.drop { $0 == 0 })
            if digits[0] & 0x80 != 0 { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        let body = integers[0] + integers[1]
        let der = String(decoding: Base64URL.encode([0x30, UInt8(body.count)] + body), as: UTF8.self)
        #expect(try outcome("\(segments[0]).\(segments[1]).\(der)") == .badSignature)
    }

    @Test func refusesASwappedLeaf() throws {
        // Genuine, but its key did not sign.
        let other = try P256PrivateKey.generate()
        let template = CertificateTemplate(
            commonName: "Leaf",
            validity: VerificationFixture.validity,
            markers: [CertificateTemplate.Marker(oid: StatementMarker.leaf)]
        )
        let leaf = try fixture.chain.intermediate.issue(template, to: other.key)
        let signer = StatementSigner(
            certificates: [leaf] + fixture.headerCertificates.dropFirst(),
            key: fixture.chain.key
        )
        #expect(try outcome(signer.sign(VerificationFixture.payload())) == .badSignature)
    }

    // MARK: Chain

    @Test func refusesAChainBelowAnotherRoot() throws {
        let stranger = try ThrowawayChain.make(validity: VerificationFixture.validity)
        guard case .untrustedChain? = try outcome(stranger.signer.sign(VerificationFixture.payload())) else {
            Issue.record("a chain below a root that came with it was trusted")
            return
        }
    }

    @Test func theShippedConfigurationTrustsNoThrowawayChain() throws {
        let verifier = try SignedStatementVerifier(VerifierConfiguration())
        let text = try fixture.chain.signer.sign(VerificationFixture.payload())
        #expect(verificationError { _ = try verifier.verify(text, now: now) } == .untrustedChain(.unknownRoot))
    }

    @Test func refusesALeafWithoutItsMarker() throws {
        let signer = try fixture.signer(leaf: {
            $0.markers = [CertificateTemplate.Marker(oid: StatementMarker.intermediate)]
        })
        #expect(try outcome(signer.sign(VerificationFixture.payload())) == .untrustedChain(.missingMarker(.leaf)))
    }

    @Test func refusesAnIntermediateWithoutItsMarker() throws {
        let key = try ECPrivateKey.generate(.p384)
        let template = CertificateTemplate(
            commonName: "Unmarked",
            validity: VerificationFixture.validity,
            authority: .certificateAuthority(pathLength: 0)
        )
        let issuer = CertificateIssuer(certificate: try fixture.chain.root.issue(template, to: key), key: key)
        let leafTemplate = CertificateTemplate(
            commonName: "Leaf",
            validity: VerificationFixture.validity,
            markers: [CertificateTemplate.Marker(oid: StatementMarker.leaf)]
        )
        let leafKey = try P256PrivateKey.generate()
        let leaf = try issuer.issue(leafTemplate, to: leafKey.key)
        let signer = StatementSigner(
            certificates: [leaf, issuer.certificate, fixture.chain.root.certificate],
            key: leafKey
        )
        #expect(
            try outcome(signer.sign(VerificationFixture.payload())) == .untrustedChain(.missingMarker(.intermediate))
        )
    }

    @Test func tellsAnExpiredLeafFromAnUntrustedOne() throws {
        let expired = try fixture.signer(leaf: { $0.validity.notAfter = now - day })
        #expect(try outcome(expired.sign(VerificationFixture.payload())) == .certificateExpired(.leaf))
        let early = try fixture.signer(leaf: { $0.validity.notBefore = now + day })
        #expect(try outcome(early.sign(VerificationFixture.payload())) == .certificateNotYetValid(.leaf))
        let both = try fixture.signer(leaf: {
            $0.validity.notAfter = now - day
            $0.markers = []
        })
        #expect(try outcome(both.sign(VerificationFixture.payload())) == .untrustedChain(.missingMarker(.leaf)))
    }

    @Test func aBadSignatureIsNeverBlamedOnADate() throws {
        let signer = try fixture.signer(leaf: { $0.validity.notAfter = now - day })
        let segments = try signer.sign(VerificationFixture.payload()).split(separator: ".")
        let other = String(decoding: Base64URL.encode(VerificationFixture.payload("\"a\":1")), as: UTF8.self)
        #expect(try outcome("\(segments[0]).\(other).\(segments[2])") == .badSignature)
    }

    @Test func refusesALeafOnAnotherCurve() throws {
        let signer = try fixture.signer(leaf: { _ in }, curve: .p384)
        #expect(try outcome(signer.sign(VerificationFixture.payload())) == .untrustedChain(.unsupportedKey(.leaf)))
    }

    // MARK: Xcode

    @Test func acceptsAConfiguredXcodeCertificateUnderItsOwnTrust() throws {
        let verifier = try fixture.verifier { $0.xcodeCertificates = [fixture.xcode.certificate] }
        let payload = VerificationFixture.payload("\"environment\":\"Xcode\"", signedDate: "\(now).7297")
        let text = try fixture.xcode.signer.sign(payload)
        for _ in 0..<2 {
            let statement = try verifier.verify(text, now: now)
            #expect(statement.trust == .xcode)
            #expect(statement.signedAt == now)
            #expect(statement.chainFingerprint == fixture.xcode.certificate.fingerprint)
        }
        #expect(verifier.cachedChainCount == 1)
    }

    @Test func thePayloadDoesNotChooseItsTrust() throws {
        let verifier = try fixture.verifier { $0.xcodeCertificates = [fixture.xcode.certificate] }
        let claimsProduction = VerificationFixture.payload("\"environment\":\"Production\"")
        let claimsXcode = VerificationFixture.payload("\"environment\":\"Xcode\"")
        #expect(try verifier.verify(fixture.xcode.signer.sign(claimsProduction), now: now).trust == .xcode)
        #expect(try verifier.verify(fixture.chain.signer.sign(claimsXcode), now: now).trust == .appStore)
    }

    @Test func refusesAnXcodeCertificateThatIsNotConfigured() throws {
        let text = try fixture.xcode.signer.sign(VerificationFixture.payload("\"environment\":\"Xcode\""))
        #expect(try outcome(text) == .unknownXcodeCertificate)
        let other = try XcodeSigner.make(validity: VerificationFixture.validity)
        #expect(try outcome(text) { $0.xcodeCertificates = [other.certificate] } == .unknownXcodeCertificate)
    }

    @Test func refusesTheLeafAloneAsAnXcodeCertificate() throws {
        let signer = StatementSigner(certificates: [fixture.chain.leaf], key: fixture.chain.key)
        let text = try signer.sign(VerificationFixture.payload())
        #expect(try outcome(text) { $0.xcodeCertificates = [fixture.xcode.certificate] } == .unknownXcodeCertificate)
    }

    @Test func judgesXcodeCertificatesByTheSigningDateToo() throws {
        let text = try fixture.xcode.signer.sign(VerificationFixture.payload(signedDate: "\(now + 101 * day)"))
        #expect(
            try outcome(text) { $0.xcodeCertificates = [fixture.xcode.certificate] } == .certificateExpired(.leaf)
        )
    }

    @Test func anXcodeCertificateIsNoRootAndNoChain() throws {
        let chain = fixture.chain
        let signer = StatementSigner(
            certificates: [fixture.xcode.certificate, chain.intermediate.certificate, chain.root.certificate],
            key: fixture.xcode.key
        )
        let failure = try outcome(signer.sign(VerificationFixture.payload())) {
            $0.xcodeCertificates = [fixture.xcode.certificate]
        }
        #expect(failure == .untrustedChain(.missingMarker(.leaf)))
    }
}
