package import X509

/// Signs payloads as the App Store does: JWS in compact serialization with ES256, the certificates in the header.
package struct StatementSigner: Sendable {
    private let key: P256PrivateKey
    /// The header's segment with the full stop behind it.
    private let beginning: [UInt8]
    private let beginningHash: SHA256

    /// A signer for `key` whose header lists `certificates`, the key's own first.
    package init(certificates: [Certificate], key: P256PrivateKey) {
        self.init(header: Self.header(certificates: certificates, extra: ""), key: key)
    }

    /// A signer with a header of one's own: Xcode's, or a faulty one for tests.
    package init(header: [UInt8], key: P256PrivateKey) {
        self.key = key
        beginning = Base64URL.encode(header) + [UInt8(ascii: ".")]
        var hash = SHA256()
        hash.update(beginning)
        beginningHash = hash
    }

    /// The header that lists `certificates`, as JSON. `extra` stands before the list, each member with a comma behind it.
    package static func header(certificates: [Certificate], extra: String) -> [UInt8] {
        let list = certificates.map { "\"" + String(decoding: Base64.encode($0.der), as: UTF8.self) + "\"" }
        return Array("{\"alg\":\"ES256\",\(extra)\"x5c\":[\(list.joined(separator: ","))]}".utf8)
    }

    /// The signed statement around `payload`, which is a JSON object.
    ///
    /// Throws only when libcrypto fails.
    package func sign(_ payload: [UInt8]) throws(X509Error) -> String {
        let segment = Base64URL.encode(payload)
        var hash = beginningHash
        hash.update(segment)
        let signature = try key.sign(digest: hash.finalize())
        var text = beginning
        text.reserveCapacity(beginning.count + segment.count + 87)
        text += segment
        text.append(UInt8(ascii: "."))
        text += Base64URL.encode(signature)
        return String(decoding: text, as: UTF8.self)
    }
}
