package import EntitlementDomain
package import JSON
package import X509

/// A key that signs tokens: Ed25519, `EdDSA` in JWS (RFC 8037).
package struct SigningKey: Sendable {
    /// The `kid`: the key's thumbprint (RFC 7638), so it follows from the key and is the same on every instance.
    package let keyID: String
    /// From when on it signs, unless a newer key does.
    package let signsFrom: Instant
    /// The name of its file.
    package let fileName: String

    private let privateKey: Ed25519PrivateKey
    /// The public key as base64url.
    private let publicText: String
    /// The protected header with the dot after it: the same for every token of this key.
    private let header: [UInt8]

    package init(_ privateKey: Ed25519PrivateKey, fileName: String, signsFrom: Instant) {
        let publicText = String(decoding: Base64URL.encode(privateKey.publicKey.bytes), as: UTF8.self)
        // RFC 7638 section 3, RFC 8037 section 2: the required members, in the order of their names, without spaces.
        let thumbprint = SHA256.hash(Array(#"{"crv":"Ed25519","kty":"OKP","x":"\#(publicText)"}"#.utf8))
        let keyID = String(decoding: Base64URL.encode(thumbprint.bytes), as: UTF8.self)
        self.keyID = keyID
        self.signsFrom = signsFrom
        self.fileName = fileName
        self.privateKey = privateKey
        self.publicText = publicText
        header =
            Base64URL.encode(Array(#"{"alg":"EdDSA","kid":"\#(keyID)","typ":"JWT"}"#.utf8)) + [UInt8(ascii: ".")]
    }

    /// The public key as a JWK (RFC 7517, RFC 8037 section 2).
    package var jwk: JSONValue {
        [
            "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": .string(keyID),
            "x": .string(publicText),
        ]
    }

    /// A JWS of another `typ` than a token's, in compact serialization.
    ///
    /// - Parameter type: plain text without quotes.
    package func sign(claims: [UInt8], type: String) throws(X509Error) -> String {
        let header = Base64URL.encode(Array(#"{"alg":"EdDSA","kid":"\#(keyID)","typ":"\#(type)"}"#.utf8))
        return try sign(claims: claims, header: header + [UInt8(ascii: ".")])
    }

    /// A JWT in compact serialization (RFC 7515 section 3.1).
    ///
    /// - Parameter claims: the claims as a JSON object.
    package func sign(claims: [UInt8]) throws(X509Error) -> String {
        try sign(claims: claims, header: header)
    }

    private func sign(claims: [UInt8], header: [UInt8]) throws(X509Error) -> String {
        let input = header + Base64URL.encode(claims)
        let signature = try privateKey.sign(input)
        return String(decoding: input + [UInt8(ascii: ".")] + Base64URL.encode(signature), as: UTF8.self)
    }
}
