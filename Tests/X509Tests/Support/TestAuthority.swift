import X509

/// A root, an intermediate and a leaf made for one test; every part can be replaced by a faulty one.
struct TestAuthority {
    static let leafMarker = "1.2.3.4.1"
    static let intermediateMarker = "1.2.3.4.2"
    /// 2026-01-01T00:00:00Z.
    static let now: Int64 = 1_767_225_600_000
    static let day: Int64 = 86_400_000
    static let validity = CertificateValidity(notBefore: now - 100 * day, notAfter: now + 100 * day)

    let rootKey: ECPrivateKey
    let intermediateKey: ECPrivateKey
    let leafKey: P256PrivateKey
    var rootTemplate = CertificateTemplate(
        commonName: "Test Root",
        organization: "Test",
        validity: validity,
        authority: .certificateAuthority(pathLength: nil)
    )
    var intermediateTemplate = CertificateTemplate(
        commonName: "Test Intermediate",
        validity: validity,
        authority: .certificateAuthority(pathLength: 0),
        markers: [CertificateTemplate.Marker(oid: intermediateMarker)]
    )
    var leafTemplate = CertificateTemplate(
        commonName: "Test Leaf",
        validity: validity,
        markers: [CertificateTemplate.Marker(oid: leafMarker)]
    )

    init(curve: EllipticCurve = .p384) throws {
        rootKey = try ECPrivateKey.generate(curve)
        intermediateKey = try ECPrivateKey.generate(curve)
        leafKey = try P256PrivateKey.generate()
    }

    func root() throws -> Certificate {
        try CertificateIssuer.selfSigned(rootTemplate, key: rootKey)
    }

    func intermediate() throws -> Certificate {
        try CertificateIssuer(certificate: root(), key: rootKey).issue(intermediateTemplate, to: intermediateKey)
    }

    func leaf() throws -> Certificate {
        try leaf(key: leafKey.key)
    }

    func leaf(key: ECPrivateKey) throws -> Certificate {
        try CertificateIssuer(certificate: intermediate(), key: intermediateKey).issue(leafTemplate, to: key)
    }

    func validate(
        leaf: Certificate? = nil,
        intermediate: Certificate? = nil,
        roots: [Certificate]? = nil,
        at instant: Int64 = now
    ) throws -> ChainResult {
        try ChainValidator(roots: roots ?? [root()]).validate(
            leaf: leaf ?? self.leaf(),
            intermediate: intermediate ?? self.intermediate(),
            at: instant,
            leafMarker: Self.leafMarker,
            intermediateMarker: Self.intermediateMarker
        )
    }
}
