internal import CLibcrypto

/// The curves whose keys this library makes.
package enum EllipticCurve: Hashable, Sendable, CaseIterable {
    /// NIST P-256; certificates are signed with SHA-256.
    case p256
    /// NIST P-384; certificates are signed with SHA-384.
    case p384

    var identifier: Int32 {
        switch self {
        case .p256: NID_X9_62_prime256v1
        case .p384: NID_secp384r1
        }
    }

    /// The digest that signatures by keys of this curve use.
    var digest: OpaquePointer? {
        switch self {
        case .p256: unsafe EVP_sha256()
        case .p384: unsafe EVP_sha384()
        }
    }
}
