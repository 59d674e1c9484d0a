/// A leaf and an intermediate that chain to a configured root, at whatever date: signatures, names, markers and all
/// other rules that do not depend on time hold. Only a ``ChainValidator`` makes one.
package struct CertificatePath: Sendable {
    /// The certificate whose key signs.
    package let leaf: Certificate
    /// The authority that issued the leaf.
    package let intermediate: Certificate
    /// The configured roots that issued the intermediate; one, or several when a root was renewed under its name
    /// and key. Never empty.
    package let roots: [Certificate]

    /// Why the path cannot be used at `instant`, in milliseconds since 1970; nil when leaf, intermediate and a root
    /// were all valid then.
    package func failure(at instant: Int64) -> ChainFailure? {
        if let failure = leaf.validity.failure(of: .leaf, at: instant) { return failure }
        if let failure = intermediate.validity.failure(of: .intermediate, at: instant) { return failure }
        if roots.contains(where: { $0.validity.contains(instant) }) { return nil }
        return roots[0].validity.failure(of: .root, at: instant)
    }

    /// SHA-256 over the DER encodings of leaf and intermediate, one after the other: names the path in records.
    package var fingerprint: SHA256Digest {
        var hash = SHA256()
        hash.update(leaf.der)
        hash.update(intermediate.der)
        return hash.finalize()
    }
}
