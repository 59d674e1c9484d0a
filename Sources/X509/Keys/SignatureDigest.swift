internal import CLibcrypto

/// The digest under a signature, where it is chosen apart from the key.
package enum SignatureDigest: Hashable, Sendable, CaseIterable {
    /// For what must look like an old receipt; nothing new should use it.
    case sha1
    case sha256

    var algorithm: OpaquePointer? {
        switch self {
        case .sha1: unsafe EVP_sha1()
        case .sha256: unsafe EVP_sha256()
        }
    }
}
