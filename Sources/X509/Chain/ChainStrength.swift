/// How strong the keys and signatures of a chain must be.
package enum ChainStrength: Hashable, Sendable {
    /// 112 bits: no SHA-1 signatures.
    case modern
    /// SHA-1 signatures on certificates are accepted as well, because those above old app receipts are made so. Weaker
    /// digests are not, nor are RSA keys below 2,048 bits.
    case legacy

    /// The level that libcrypto enforces on a path (SSL_CTX_set_security_level manual page); on level 0 the limits are
    /// those of ``ChainValidator``.
    var securityLevel: Int32 {
        switch self {
        case .modern: 2
        case .legacy: 0
        }
    }
}
