package import X509

/// What a ``SignedStatementVerifier`` trusts and how much it keeps.
package struct VerifierConfiguration: Sendable {
    /// The only certificates that can end a chain. Default: Apple Root CA - G3.
    package var roots: [Certificate]
    /// Self-signed StoreKit test certificates, trusted for statements of the environment Xcode alone. Default: none, so
    /// that no such statement is accepted.
    package var xcodeCertificates: [Certificate]
    /// The longest statement looked at, in bytes of its text. Default: 256 KiB (genuine ones have 5 to 15).
    package var maximumBytes: Int
    /// How many verified chains are kept. Default: 32. With 0 every statement is verified from scratch.
    package var chainCacheCapacity: Int
    /// How long a verified chain is kept. Default: 15 minutes.
    package var chainCacheLifetime: Duration

    /// A configuration; the defaults are those of a production service.
    package init(
        roots: [Certificate] = AppleRoots.appStore,
        xcodeCertificates: [Certificate] = [],
        maximumBytes: Int = 256 * 1024,
        chainCacheCapacity: Int = 32,
        chainCacheLifetime: Duration = .seconds(15 * 60)
    ) {
        self.roots = roots
        self.xcodeCertificates = xcodeCertificates
        self.maximumBytes = maximumBytes
        self.chainCacheCapacity = chainCacheCapacity
        self.chainCacheLifetime = chainCacheLifetime
    }
}
