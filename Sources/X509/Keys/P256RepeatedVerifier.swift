import Synchronization

/// Verifies many signatures of one key, from any number of threads; about twice as fast once the key has proved to be in
/// use.
///
/// After a number of good signatures it makes a table of multiples of the key's point, in the call that reaches that
/// number: that call takes some 15 ms longer, and the table holds 150 KiB. Bad signatures do not count.
package final class P256RepeatedVerifier: Sendable {
    /// The number of good signatures after which the table has been worth its making, more or less.
    package static let defaultThreshold = 1_000

    /// The key whose signatures are verified.
    package let publicKey: P256PublicKey

    private let threshold: Int
    private let goodSignatures = Atomic<Int>(0)
    private let table = AtomicLazyReference<P256PointTable>()

    /// A verifier for `publicKey` that makes its table after `threshold` good signatures.
    package init(_ publicKey: P256PublicKey, threshold: Int = defaultThreshold) {
        self.publicKey = publicKey
        self.threshold = threshold
    }

    /// Whether the table is in use.
    package var hasTable: Bool { table.load() != nil }

    /// Whether `signature` (64 bytes, r then s) is the key's signature over `digest`.
    package func isValidSignature(_ signature: [UInt8], digest: SHA256Digest) -> Bool {
        guard let table = table.load() else {
            let isValid = publicKey.isValidSignature(signature, digest: digest)
            if isValid, goodSignatures.wrappingAdd(1, ordering: .relaxed).newValue == threshold {
                makeTable()
            }
            return isValid
        }
        guard signature.count == P256PublicKey.signatureByteCount else { return false }
        let answer = unsafe signature.withUnsafeBytes { unsafe table.isValidSignature($0, digest: digest) }
        // Of arithmetic that goes wrong, by whatever cause, nothing comes but "no"; and "no" is said by libcrypto alone.
        return answer == true || publicKey.isValidSignature(signature, digest: digest)
    }

    private func makeTable() {
        guard let made = publicKey.pointTable() else { return }
        _ = table.storeIfNil(made)
    }
}
