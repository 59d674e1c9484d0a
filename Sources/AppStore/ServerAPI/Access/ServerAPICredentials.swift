package import X509

/// What App Store Connect hands out for the App Store Server API (Users and Access, Integrations, In-App Purchase).
package struct ServerAPICredentials: Sendable {
    /// The issuer id, a UUID in text.
    package var issuerID: String
    /// The id of the key.
    package var keyID: String
    /// The private key, from the `.p8` file.
    package var key: P256PrivateKey

    package init(issuerID: String, keyID: String, key: P256PrivateKey) {
        self.issuerID = issuerID
        self.keyID = keyID
        self.key = key
    }

    /// Reads the key from the text of a `.p8` file (PKCS#8 in PEM form).
    ///
    /// Throws `X509Error` when the text holds no private key on P-256.
    package init(issuerID: String, keyID: String, p8 text: String) throws(X509Error) {
        self.init(issuerID: issuerID, keyID: keyID, key: try P256PrivateKey(pem: text))
    }
}
