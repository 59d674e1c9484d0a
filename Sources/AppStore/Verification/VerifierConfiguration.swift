package import X509

/// What a ``SignedStatementVerifier`` trusts and how much it keeps.
package struct VerifierConfiguration: Sendable {
    /// The only certificates that can end a chain. Default: Apple Root CA - G3.
    package var roots: [Certificate]
    /// The only certificates that can end a receipt's chain. Default: Apple Inc. Root Certificate, and those of `roots`
    /// that are not Apple's.
    package var receiptRoots: [Certificate]
    /// Self-signed StoreKit test certificates (on P-256 for statements, RSA for receipts), trusted for statements of the environment Xcode alone. Default: none, so
    /// that no such statement is accepted.
    package var xcodeCertificates: [Certificate]
    /// The longest statement looked at, in bytes of its text. Default: 256 KiB (genuine ones have 5 to 15).
    package var maximumBytes: Int
    /// The longest receipt looked at, in bytes of its base64. Default: 3 MiB (a purchase takes some 300).
    package var maximumReceiptBytes: Int
    /// How many verified chains are kept. Default: 32. With 0 every statement is verified from scratch.
    package var chainCacheCapacity: Int
    /// How long a verified chain is kept. Default: 15 minutes.
    package var chainCacheLifetime: Duration

    /// A configuration; the defaults are those of a production service.
    package init(
        roots: [Certificate] = AppleRoots.appStore,
        receiptRoots: [Certificate]? = nil,
        xcodeCertificates: [Certificate] = [],
        maximumBytes: Int = 256 * 1024,
        maximumReceiptBytes: Int = 3 * 1024 * 1024,
        chainCacheCapacity: Int = 32,
        chainCacheLifetime: Duration = .seconds(15 * 60)
    ) {
        self.roots = roots
        self.receiptRoots =
            receiptRoots ?? AppleRoots.receipts + roots.filter { !AppleRoots.appStore.contains($0) }
        self.xcodeCertificates = xcodeCertificates
        self.maximumBytes = maximumBytes
        self.maximumReceiptBytes = maximumReceiptBytes
        self.chainCacheCapacity = chainCacheCapacity
        self.chainCacheLifetime = chainCacheLifetime
    }
}
