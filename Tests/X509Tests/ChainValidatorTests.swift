import Testing
import X509

@Suite struct ChainValidatorTests {
    @Test(arguments: EllipticCurve.allCases) func acceptsAGoodChain(curve: EllipticCurve) throws {
        let authority = try TestAuthority(curve: curve)
        let root = try authority.root()
        let leaf = try authority.leaf()
        let result = try authority.validate(leaf: leaf, roots: [root])
        guard case .valid(let chain) = result else {
            Issue.record("refused: \(result)")
            return
        }
        #expect(chain.roots == [root])
        #expect(chain.leaf == leaf)
        #expect(chain.publicKey == authority.leafKey.publicKey)
    }

    @Test func acceptsAChainWithoutKeyIdentifiers() throws {
        var authority = try TestAuthority()
        authority.rootTemplate.includesKeyIdentifiers = false
        authority.intermediateTemplate.includesKeyIdentifiers = false
        authority.leafTemplate.includesKeyIdentifiers = false
        #expect(try authority.validate().failure == nil)
    }

    @Test func acceptsARootReissuedUnderItsNameAndKey() throws {
        var authority = try TestAuthority()
        let leaf = try authority.leaf()
        let intermediate = try authority.intermediate()
        let validity = authority.rootTemplate.validity
        authority.rootTemplate.validity.notAfter = TestAuthority.now - TestAuthority.day
        let old = try authority.root()
        authority.rootTemplate.validity = validity
        let new = try authority.root()
        #expect(try authority.validate(leaf: leaf, intermediate: intermediate, roots: [old]).failure == .expired(.root))
        for roots in [[old, new], [new, old]] {
            #expect(try authority.validate(leaf: leaf, intermediate: intermediate, roots: roots).failure == nil)
        }
    }

    // MARK: Trust

    @Test func refusesAChainToARootThatIsNotConfigured() throws {
        let authority = try TestAuthority()
        var other = try TestAuthority()
        other.rootTemplate.commonName = "Another Root"
        #expect(try authority.validate(roots: [other.root()]).failure == .unknownRoot)
    }

    @Test func refusesAChainToARootThatOnlyBorrowsTheName() throws {
        let authority = try TestAuthority()
        let other = try TestAuthority()
        let failure = try authority.validate(roots: [other.root()]).failure
        // With key identifiers the wrong key is noticed before its signature is.
        #expect(failure?.isIndependentOfTime == true)
    }

    @Test func refusesAnIntermediateSignedByABorrowedNameWithoutKeyIdentifiers() throws {
        var authority = try TestAuthority()
        var other = try TestAuthority()
        for template in [\TestAuthority.rootTemplate, \.intermediateTemplate, \.leafTemplate] {
            authority[keyPath: template].includesKeyIdentifiers = false
            other[keyPath: template].includesKeyIdentifiers = false
        }
        #expect(try authority.validate(roots: [other.root()]).failure == .badSignature(.intermediate))
    }

    @Test func refusesALeafSignedByAnotherKey() throws {
        var authority = try TestAuthority()
        authority.leafTemplate.includesKeyIdentifiers = false
        let forger = try CertificateIssuer(certificate: authority.intermediate(), key: ECPrivateKey.generate(.p384))
        let leaf = try forger.issue(authority.leafTemplate, to: authority.leafKey.key)
        #expect(try authority.validate(leaf: leaf).failure == .badSignature(.leaf))
    }

    @Test func refusesALeafOfAnotherIssuer() throws {
        let authority = try TestAuthority()
        var other = try TestAuthority()
        other.intermediateTemplate.commonName = "Another Intermediate"
        #expect(try authority.validate(leaf: other.leaf()).failure == .issuerMismatch)
    }

    @Test func refusesAForeignAnchorThatComesAsTheIntermediate() throws {
        var forged = try TestAuthority()
        forged.rootTemplate.markers = [CertificateTemplate.Marker(oid: TestAuthority.intermediateMarker)]
        let foreign = try forged.root()
        let leaf = try CertificateIssuer(certificate: foreign, key: forged.rootKey)
            .issue(forged.leafTemplate, to: forged.leafKey.key)
        var genuine = try TestAuthority()
        genuine.rootTemplate.commonName = "Genuine Root"
        #expect(
            try genuine.validate(leaf: leaf, intermediate: foreign).failure == .unknownRoot
        )
        // Under the genuine root's very name.
        let namesake = try TestAuthority()
        let failure = try namesake.validate(leaf: leaf, intermediate: foreign).failure
        #expect(failure?.isIndependentOfTime == true)
    }

    @Test func refusesAChainOfTwo() throws {
        var authority = try TestAuthority()
        authority.rootTemplate.markers = [CertificateTemplate.Marker(oid: TestAuthority.intermediateMarker)]
        let root = try authority.root()
        let leaf = try CertificateIssuer(certificate: root, key: authority.rootKey)
            .issue(authority.leafTemplate, to: authority.leafKey.key)
        guard case .refused? = try authority.validate(leaf: leaf, intermediate: root, roots: [root]).failure else {
            Issue.record("a leaf directly below the root was accepted")
            return
        }
    }

    @Test func refusesAChainOfFour() throws {
        let authority = try TestAuthority()
        let intermediateAuthority = try CertificateIssuer(
            certificate: authority.intermediate(),
            key: authority.intermediateKey
        )
        let secondKey = try ECPrivateKey.generate(.p384)
        var template = authority.intermediateTemplate
        template.commonName = "Second Intermediate"
        let second = try intermediateAuthority.issue(template, to: secondKey)
        let leaf = try CertificateIssuer(certificate: second, key: secondKey)
            .issue(authority.leafTemplate, to: authority.leafKey.key)
        #expect(try authority.validate(leaf: leaf, intermediate: second).failure == .unknownRoot)
    }

    @Test func needsARealRoot() throws {
        let authority = try TestAuthority()
        #expect(throws: X509Error.self) { try ChainValidator(roots: []) }
        #expect(throws: X509Error.self) { try ChainValidator(roots: [authority.intermediate()]) }
        var lone = try TestAuthority()
        lone.rootTemplate.authority = .endEntity
        #expect(throws: X509Error.self) { try ChainValidator(roots: [lone.root()]) }
    }

    // MARK: Dates

    @Test(arguments: CertificateRole.allCases) func tellsDatesApart(role: CertificateRole) throws {
        var authority = try TestAuthority()
        let template: WritableKeyPath<TestAuthority, CertificateTemplate> =
            switch role {
            case .leaf: \.leafTemplate
            case .intermediate: \.intermediateTemplate
            case .root: \.rootTemplate
            }
        let now = TestAuthority.now
        authority[keyPath: template].validity = CertificateValidity(notBefore: now - 10_000, notAfter: now + 10_000)
        let leaf = try authority.leaf()
        let intermediate = try authority.intermediate()
        let roots = [try authority.root()]
        func failure(at instant: Int64) throws -> ChainFailure? {
            try authority.validate(leaf: leaf, intermediate: intermediate, roots: roots, at: instant).failure
        }
        #expect(try failure(at: now - 10_001) == .notYetValid(role))
        #expect(try failure(at: now - 10_000) == nil)
        #expect(try failure(at: now + 10_000) == nil)
        #expect(try failure(at: now + 10_001) == .expired(role))
        #expect(ChainFailure.expired(role).isIndependentOfTime == false)
    }

    @Test func doesNotBlameTheDateOfAForgedChain() throws {
        var authority = try TestAuthority()
        authority.leafTemplate.includesKeyIdentifiers = false
        authority.leafTemplate.validity.notAfter = TestAuthority.now - TestAuthority.day
        let forger = try CertificateIssuer(certificate: authority.intermediate(), key: ECPrivateKey.generate(.p384))
        let leaf = try forger.issue(authority.leafTemplate, to: authority.leafKey.key)
        #expect(try authority.validate(leaf: leaf).failure == .badSignature(.leaf))
    }

    // MARK: Markers, authority, keys, extensions

    @Test func refusesAMissingMarker() throws {
        var authority = try TestAuthority()
        authority.leafTemplate.markers = [CertificateTemplate.Marker(oid: TestAuthority.intermediateMarker)]
        #expect(try authority.validate().failure == .missingMarker(.leaf))
        authority = try TestAuthority()
        authority.intermediateTemplate.markers = [CertificateTemplate.Marker(oid: TestAuthority.leafMarker)]
        #expect(try authority.validate().failure == .missingMarker(.intermediate))
    }

    @Test(arguments: [CertificateTemplate.Authority.endEntity, .unstated])
    func refusesAnIntermediateThatIsNoAuthority(standing: CertificateTemplate.Authority) throws {
        var authority = try TestAuthority()
        authority.intermediateTemplate.authority = standing
        #expect(try authority.validate().failure == .notACertificateAuthority(.intermediate))
    }

    @Test func respectsThePathLengthOfTheRoot() throws {
        var authority = try TestAuthority()
        authority.rootTemplate.authority = .certificateAuthority(pathLength: 1)
        #expect(try authority.validate().failure == nil)
        authority.rootTemplate.authority = .certificateAuthority(pathLength: 0)
        #expect(try authority.validate().failure == .pathLengthExceeded)
    }

    @Test func refusesALeafKeyOffP256() throws {
        let authority = try TestAuthority()
        let leaf = try authority.leaf(key: ECPrivateKey.generate(.p384))
        #expect(try authority.validate(leaf: leaf).failure == .unsupportedKey(.leaf))
    }

    @Test func refusesUnknownCriticalExtensions() throws {
        let unknown = CertificateTemplate.Marker(oid: "1.2.3.4.99", isCritical: true)
        var authority = try TestAuthority()
        authority.leafTemplate.markers.append(unknown)
        #expect(try authority.validate().failure == .unhandledCriticalExtension(.leaf))
        authority = try TestAuthority()
        authority.intermediateTemplate.markers.append(unknown)
        #expect(try authority.validate().failure == .unhandledCriticalExtension(.intermediate))
        authority = try TestAuthority()
        authority.rootTemplate.markers.append(unknown)
        #expect(try authority.validate().failure == .unhandledCriticalExtension(.root))
    }

    @Test func acceptsUnknownExtensionsThatAreNotCritical() throws {
        var authority = try TestAuthority()
        authority.leafTemplate.markers.append(CertificateTemplate.Marker(oid: "1.2.3.4.99"))
        #expect(try authority.validate().failure == nil)
    }

    @Test func validatesOnManyThreads() async throws {
        let authority = try TestAuthority()
        let validator = try ChainValidator(roots: [authority.root()])
        let leaf = try authority.leaf()
        let intermediate = try authority.intermediate()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<10).allSatisfy { _ in
                        let result = try? validator.validate(
                            leaf: leaf,
                            intermediate: intermediate,
                            at: TestAuthority.now,
                            leafMarker: TestAuthority.leafMarker,
                            intermediateMarker: TestAuthority.intermediateMarker
                        )
                        return result != nil && result?.failure == nil
                    }
                }
            }
            for await allHold in group { #expect(allHold) }
        }
    }
}
