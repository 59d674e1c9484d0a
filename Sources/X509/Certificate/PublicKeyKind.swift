/// What a certificate's public key is, as far as chains and signatures here care.
package enum PublicKeyKind: Hashable, Sendable {
    /// A point on NIST P-256, named by its identifier (a curve written out as parameters is `other`).
    case p256
    /// A point on NIST P-384, named by its identifier.
    case p384
    /// A point on NIST P-521, named by its identifier.
    case p521
    /// RSA with a modulus of this many bits.
    case rsa(bits: Int)
    /// Ed25519 (RFC 8410).
    case ed25519
    /// Anything else.
    case other
}
