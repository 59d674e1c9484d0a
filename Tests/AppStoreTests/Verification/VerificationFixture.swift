import AppStore
import JSON
import Simulator
import Testing
import X509

/// A throwaway chain, a verifier that trusts it, and ways to spoil statements.
struct VerificationFixture {
    /// 2026-01-01T00:00:00Z.
    static let now: Int64 = 1_767_225_600_000
    static let day: Int64 = 86_400_000
    static let validity = CertificateValidity(notBefore: now - 100 * day, notAfter: now + 100 * day)
    /// Made once: what follows only reads it.
    static let shared = Result { try VerificationFixture() }

    let chain: ThrowawayChain
    let xcode: XcodeSigner

    init() throws {
        chain = try ThrowawayChain.make(validity: Self.validity)
        xcode = try XcodeSigner.make(validity: Self.validity)
    }

    var headerCertificates: [Certificate] {
        [chain.leaf, chain.intermediate.certificate, chain.root.certificate]
    }

    func verifier(_ change: (inout VerifierConfiguration) -> Void = { _ in }) throws -> SignedStatementVerifier {
        var configuration = VerifierConfiguration(roots: [chain.root.certificate])
        change(&configuration)
        return try SignedStatementVerifier(configuration)
    }

    static func payload(_ members: String = "\"transactionId\":\"1\"", signedDate: String = "\(now)") -> [UInt8] {
        Array("{\(members),\"signedDate\":\(signedDate)}".utf8)
    }

    /// A statement under the chain's key with a header of one's own.
    func sign(header: String, payload: [UInt8] = payload()) throws -> String {
        try StatementSigner(header: Array(header.utf8), key: chain.key).sign(payload)
    }

    /// The x5c list of `certificates` as JSON.
    static func list(_ certificates: [Certificate]) -> String {
        "["
            + certificates.map { "\"\(String(decoding: Base64.encode($0.der), as: UTF8.self))\"" }.joined(
                separator: ","
            )
            + "]"
    }

    /// A leaf of one's own below the chain's intermediate, and a signer with it.
    func signer(
        leaf change: (inout CertificateTemplate) -> Void,
        curve: EllipticCurve = .p256
    ) throws -> StatementSigner {
        var template = CertificateTemplate(
            commonName: "Leaf",
            validity: Self.validity,
            markers: [CertificateTemplate.Marker(oid: StatementMarker.leaf)]
        )
        change(&template)
        let key = try P256PrivateKey.generate()
        let certifiedKey = curve == .p256 ? key.key : try ECPrivateKey.generate(curve)
        let leaf = try chain.intermediate.issue(template, to: certifiedKey)
        return StatementSigner(certificates: [leaf] + headerCertificates.dropFirst(), key: key)
    }
}

/// The error that `body` ends in, nil when it ends well.
func verificationError(_ body: () throws -> Void) -> VerificationError? {
    do {
        try body()
        return nil
    } catch {
        return error as? VerificationError ?? .unavailable("another error: \(error)")
    }
}

extension VerificationError {
    /// Whether the statement is malformed, whatever the reason.
    var isMalformed: Bool {
        if case .malformed = self { true } else { false }
    }
}
