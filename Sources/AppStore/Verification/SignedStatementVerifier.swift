import JSON
package import X509

/// Verifies signed App Store statements: transactions, renewal information, notifications, app transactions.
///
/// A statement is a JWS in compact serialization (RFC 7515 section 7.1) signed with ES256, whose header brings a leaf and
/// an intermediate certificate that chain to a configured root. Safe to use from many threads at once; it does
/// no I/O. A statement whose header was seen lately costs one P-256 operation and two hashes.
///
/// What a verified statement claims about itself, its environment above all, has not been looked at: see
/// ``StatementTrust``.
package struct SignedStatementVerifier: Sendable {
    private let validator: ChainValidator
    private let xcodeSigners: [(certificate: Certificate, key: P256PublicKey)]
    private let maximumBytes: Int
    private let cache: VerifiedChainCache

    private static let separator = UInt8(ascii: ".")
    /// Leaf, intermediate, and a root that is never looked at.
    private static let chainLength = 3

    /// A verifier that trusts what `configuration` names and nothing else.
    ///
    /// Throws ``X509Error`` when a root is not a self-signed authority, there is none, or an Xcode certificate has no
    /// P-256 key.
    package init(_ configuration: VerifierConfiguration) throws(X509Error) {
        validator = try ChainValidator(roots: configuration.roots)
        var signers: [(certificate: Certificate, key: P256PublicKey)] = []
        for certificate in configuration.xcodeCertificates {
            // With an RSA key Xcode signs receipts.
            if case .rsa = certificate.publicKeyKind { continue }
            guard let key = P256PublicKey(certificate) else {
                throw .malformedCertificate("an Xcode certificate has no P-256 key: \(certificate.subject)")
            }
            signers.append((certificate, key))
        }
        xcodeSigners = signers
        maximumBytes = configuration.maximumBytes
        cache = VerifiedChainCache(
            capacity: configuration.chainCacheCapacity,
            lifetime: configuration.chainCacheLifetime
        )
    }

    /// Verifies one statement.
    ///
    /// The certificates must have been valid when the statement says it was signed, or at `now` (milliseconds since 1970)
    /// when it does not say; so archives stay verifiable. The date is only believed once the signature is good.
    ///
    /// Throws ``VerificationError``.
    package func verify(_ text: Span<UInt8>, now: Int64) throws(VerificationError) -> VerifiedStatement {
        guard text.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        guard
            let headerEnd = text.firstOffset(of: Self.separator),
            let payloadEnd = text.firstOffset(of: Self.separator, from: headerEnd + 1),
            text.firstOffset(of: Self.separator, from: payloadEnd + 1) == nil
        else { throw .malformed("it does not have three segments") }

        let headerSegment = text.extracting(0..<headerEnd)
        let known = cache.header(for: headerSegment, now: now)
        let header = if let known { known } else { try trustedHeader(headerSegment) }

        let payloadSegment = text.extracting((headerEnd + 1)..<payloadEnd)
        let signatureSegment = text.extracting((payloadEnd + 1)..<text.count)
        guard let signature = Base64URL.decode(signatureSegment) else {
            throw .malformed("the signature is not base64url")
        }
        var signingInput = header.signingInputHash
        signingInput.update(payloadSegment)
        guard header.verifier.isValidSignature(signature, digest: signingInput.finalize()) else {
            throw .badSignature
        }

        guard let payload = Base64URL.decode(payloadSegment) else { throw .malformed("the payload is not base64url") }
        let object = try Self.object(payload)
        let signedAt = SigningDate(object).milliseconds
        try header.checkDates(at: signedAt ?? now)
        if known == nil { cache.insert(header, now: now) }
        var whole = signingInput
        whole.update([Self.separator])
        whole.update(signatureSegment)
        return VerifiedStatement(
            payload: payload,
            object: object,
            textDigest: whole.finalize(),
            signedAt: signedAt,
            trust: header.trust,
            chainFingerprint: header.fingerprint
        )
    }

    /// Verifies one statement; see ``verify(_:now:)-(Span<UInt8>,_)``.
    package func verify(_ text: [UInt8], now: Int64) throws(VerificationError) -> VerifiedStatement {
        try verify(text.span, now: now)
    }

    /// Verifies one statement; see ``verify(_:now:)-(Span<UInt8>,_)``.
    package func verify(_ text: String, now: Int64) throws(VerificationError) -> VerifiedStatement {
        try verify(text.utf8Span.span, now: now)
    }

    /// How many verified chains are kept, for metrics.
    package var cachedChainCount: Int { cache.count }

    private static func object(_ payload: [UInt8]) throws(VerificationError) -> JSONObject {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(payload)
        } catch {
            throw .malformed("the payload is not a JSON object (\(error))")
        }
        guard case .object(let object) = value else { throw .malformed("the payload is not a JSON object") }
        return object
    }

    private func trustedHeader(_ segment: Span<UInt8>) throws(VerificationError) -> TrustedHeader {
        let header = try StatementHeader(segment: segment)
        switch header.certificates.count {
        case Self.chainLength:
            return TrustedHeader(segment: segment, source: .chain(try validatedChain(header)))
        case 1:
            let certificate = try header.certificate(0)
            guard let signer = xcodeSigners.first(where: { $0.certificate == certificate }) else {
                throw .unknownXcodeCertificate
            }
            return TrustedHeader(segment: segment, source: .xcode(signer.certificate, signer.key))
        default:
            throw .malformed("x5c has \(header.certificates.count) certificates where three are expected")
        }
    }

    private func validatedChain(_ header: StatementHeader) throws(VerificationError) -> ValidatedChain {
        let leaf = try header.certificate(0)
        let intermediate = try header.certificate(1)
        let result: ChainResult
        do throws(X509Error) {
            result = try validator.validate(
                leaf: leaf,
                intermediate: intermediate,
                leafMarker: StatementMarker.leaf,
                intermediateMarker: StatementMarker.intermediate
            )
        } catch {
            throw .unavailable(error.description)
        }
        switch result {
        case .valid(let chain): return chain
        case .invalid(let failure): throw .untrustedChain(failure)
        }
    }
}
