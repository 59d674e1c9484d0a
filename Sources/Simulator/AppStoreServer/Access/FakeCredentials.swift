package import AppStore
package import X509

/// A throwaway In-App Purchase key, as App Store Connect would hand it out.
package struct FakeCredentials: Sendable {
    package let issuerID: String
    package let keyID: String
    package let key: P256PrivateKey

    package init(issuerID: String, keyID: String, key: P256PrivateKey) {
        self.issuerID = issuerID
        self.keyID = keyID
        self.key = key
    }

    /// Makes a new key.
    ///
    /// Throws only when libcrypto fails.
    package static func make() throws(X509Error) -> FakeCredentials {
        FakeCredentials(
            issuerID: "11111111-2222-4333-8444-555555555555",
            keyID: "SIMULATED1",
            key: try P256PrivateKey.generate()
        )
    }

    /// The same as a client takes them.
    package var credentials: ServerAPICredentials {
        ServerAPICredentials(issuerID: issuerID, keyID: keyID, key: key)
    }
}
