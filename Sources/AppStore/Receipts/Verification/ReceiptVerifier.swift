package import EntitlementDomain
package import X509

/// Verifies app receipts: PKCS#7 signed data under one of the receipts' roots (Validating receipts on the device).
///
/// The signer must bear the App Store's marker and the certificate above it, which comes with the receipt, the marker of
/// Apple Worldwide Developer Relations; all certificates must have been valid when the receipt was created. Signatures
/// with SHA-1 are accepted here, and nowhere else: old receipts have no others. Safe to use from many threads at
/// once; it does no I/O.
package struct ReceiptVerifier: Sendable {
    private let validator: ChainValidator
    private let xcodeCertificates: [Certificate]
    private let maximumBytes: Int

    /// A verifier that trusts the roots for receipts that `configuration` names and nothing else.
    ///
    /// Throws ``X509Error`` when a root is not a self-signed authority, or there is none.
    package init(_ configuration: VerifierConfiguration) throws(X509Error) {
        validator = try ChainValidator(roots: configuration.receiptRoots, strength: .legacy)
        xcodeCertificates = configuration.xcodeCertificates
        maximumBytes = configuration.maximumReceiptBytes
    }

    /// Verifies one receipt.
    ///
    /// - Parameters:
    ///   - text: the receipt in base64; white space in it is passed over.
    ///   - now: the clock, for a receipt that does not say when it was created.
    /// - Throws: ``VerificationError``.
    package func verify(_ text: some Collection<UInt8>, now: Instant) throws(VerificationError) -> VerifiedReceipt {
        guard text.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        guard let bytes = Base64.decode(text.filter { !Self.isWhiteSpace($0) }), !bytes.isEmpty else {
            throw .malformed("the receipt is not base64")
        }
        let message: SignedMessage
        do throws(SignedMessageError) {
            message = try SignedMessage(bytes)
        } catch {
            throw VerificationError(error)
        }
        let signer = try signer(of: message)
        let payload: [UInt8]
        do throws(SignedMessageError) {
            payload = try message.verifiedContent()
        } catch {
            throw VerificationError(error)
        }
        let receipt: AppReceipt
        do throws(BERError) {
            receipt = try AppReceipt(payload: payload)
        } catch {
            throw .malformed("what the receipt holds cannot be read: \(error)")
        }
        if let failure = signer.failure(at: (receipt.createdAt ?? now).milliseconds) {
            throw VerificationError(failure)
        }
        return VerifiedReceipt(receipt: receipt, payloadDigest: SHA256.hash(payload), trust: signer.trust)
    }

    private enum Signer {
        case appStore(CertificatePath)
        case xcode(Certificate)

        var trust: StatementTrust {
            switch self {
            case .appStore: .appStore
            case .xcode: .xcode
            }
        }

        func failure(at instant: Int64) -> ChainFailure? {
            switch self {
            case .appStore(let path): path.failure(at: instant)
            case .xcode(let certificate): certificate.validity.failure(of: .leaf, at: instant)
            }
        }
    }

    /// Who signed, if that is somebody trusted, whatever the date. Before the signature is looked at, so that a forger's
    /// own key costs nothing.
    private func signer(of message: SignedMessage) throws(VerificationError) -> Signer {
        if xcodeCertificates.contains(message.signer) { return .xcode(message.signer) }
        var failure: ChainFailure?
        for certificate in message.certificates where message.signer.isIssued(inTheNameOf: certificate) {
            do throws(X509Error) {
                let result = try validator.validateSigner(
                    leaf: message.signer,
                    intermediate: certificate,
                    leafMarker: StatementMarker.leaf,
                    intermediateMarker: StatementMarker.intermediate
                )
                switch result {
                case .valid(let path): return .appStore(path)
                case .invalid(let found): failure = failure ?? found
                }
            } catch {
                throw .unavailable(error.description)
            }
        }
        // Alone with its own certificate, as Xcode signs.
        if message.certificates.count == 1 { throw .unknownXcodeCertificate }
        throw .untrustedChain(failure ?? .issuerMismatch)
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}

extension VerificationError {
    fileprivate init(_ error: SignedMessageError) {
        self =
            switch error {
            case .malformed(let reason): .malformed(reason)
            case .badSignature: .badSignature
            case .unavailable(let reason): .unavailable(reason)
            }
    }

    fileprivate init(_ failure: ChainFailure) {
        self =
            switch failure {
            case .expired(let role): .certificateExpired(role)
            case .notYetValid(let role): .certificateNotYetValid(role)
            default: .untrustedChain(failure)
            }
    }
}
