internal import CLibcrypto

/// One configured root with a store that holds it and nothing else, so that no other certificate can end a path.
///
/// Unchecked: the store is filled before the value can be shared and only read afterwards, which libcrypto locks.
@safe final class TrustAnchor: @unchecked Sendable {
    let certificate: Certificate
    private let store: OpaquePointer

    /// One certificate between the leaf and the root.
    private static let intermediateCount: Int32 = 1

    /// Throws ``X509Error/malformedCertificate(_:)`` for a certificate that cannot be a root.
    init(_ certificate: Certificate, strength: ChainStrength) throws(X509Error) {
        guard certificate.isSelfSigned, certificate.isCertificateAuthority else {
            throw .malformedCertificate(
                "a root must be self-signed and a certificate authority: \(certificate.subject)"
            )
        }
        guard let store = unsafe X509_STORE_new() else { throw .library("make a trust store") }
        self.certificate = certificate
        unsafe self.store = unsafe store
        let parameters = unsafe X509_STORE_get0_param(store)
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, strength.securityLevel)
        unsafe X509_VERIFY_PARAM_set_depth(parameters, Self.intermediateCount)
        // Dates are compared by `ValidatedChain`, so that they are told apart from every other failure.
        guard
            unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME)) == 1,
            unsafe X509_STORE_add_cert(store, certificate.handle.pointer) == 1
        else { throw .library("fill a trust store") }
    }

    deinit {
        unsafe X509_STORE_free(store)
    }

    /// Path validation of RFC 5280 section 6 without the dates; nil when the path is good and consists of exactly
    /// these two certificates and this root.
    func failure(leaf: Certificate, intermediate: Certificate) throws(X509Error) -> ChainFailure? {
        guard let context = unsafe X509_STORE_CTX_new() else { throw .library("validate a chain") }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard let others = unsafe entitled_X509_stack_new() else { throw .library("validate a chain") }
        // The stack borrows its certificate.
        defer { unsafe entitled_X509_stack_free(others) }
        guard
            unsafe entitled_X509_stack_push(others, intermediate.handle.pointer) > 0,
            unsafe X509_STORE_CTX_init(context, store, leaf.handle.pointer, others) == 1
        else { throw .library("validate a chain") }
        defer { LibraryErrors.discard() }
        guard unsafe X509_verify_cert(context) == 1 else {
            return unsafe Self.failure(in: context)
        }
        return unsafe isPath(leaf, intermediate, in: context)
            ? nil : .refused(.leaf, reason: "the path does not go through the intermediate that came with it")
    }

    private func isPath(_ leaf: Certificate, _ intermediate: Certificate, in context: OpaquePointer) -> Bool {
        let path = unsafe X509_STORE_CTX_get0_chain(context)
        let expected = [leaf, intermediate, certificate]
        guard unsafe entitled_X509_stack_count(path) == Int32(expected.count) else { return false }
        return expected.indices.allSatisfy { index in
            unsafe X509_cmp(entitled_X509_stack_at(path, Int32(index)), expected[index].handle.pointer) == 0
        }
    }

    private static func failure(in context: OpaquePointer) -> ChainFailure {
        let depth = unsafe X509_STORE_CTX_get_error_depth(context)
        let role: CertificateRole = depth <= 0 ? .leaf : depth == 1 ? .intermediate : .root
        let code = unsafe X509_STORE_CTX_get_error(context)
        switch code {
        case X509_V_ERR_CERT_SIGNATURE_FAILURE: return .badSignature(role)
        case X509_V_ERR_INVALID_CA: return .notACertificateAuthority(role)
        case X509_V_ERR_PATH_LENGTH_EXCEEDED: return .pathLengthExceeded
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: return .unhandledCriticalExtension(role)
        default:
            let reason = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
            return .refused(role, reason: reason ?? "code \(code)")
        }
    }
}
