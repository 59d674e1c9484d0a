/// A path of certificates whose leaf has a key on P-256, as every signed statement is made with. Only a
/// ``ChainValidator`` makes one.
package struct ValidatedChain: Sendable {
    /// The certificates.
    package let path: CertificatePath
    /// The leaf's key.
    package let publicKey: P256PublicKey

    /// The certificate whose key signs.
    package var leaf: Certificate { path.leaf }
    /// The authority that issued the leaf.
    package var intermediate: Certificate { path.intermediate }
    /// The configured roots that issued the intermediate; never empty.
    package var roots: [Certificate] { path.roots }

    /// Why the chain cannot be used at `instant`, in milliseconds since 1970; nil when leaf, intermediate and a
    /// root were all valid then.
    package func failure(at instant: Int64) -> ChainFailure? { path.failure(at: instant) }

    /// SHA-256 over the DER encodings of leaf and intermediate, one after the other: names the chain in records.
    package var fingerprint: SHA256Digest { path.fingerprint }
}
