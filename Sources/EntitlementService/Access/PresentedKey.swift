import X509

/// What a request shows of its API key: the public id, and the digest of the whole, which is compared with the stored one.
struct PresentedKey {
    private static let scheme = Array("bearer".utf8)
    private static let prefix = Array("ent_".utf8)

    let keyID: String
    let digest: SHA256Digest

    /// The key in `Bearer <key>`, the scheme in any case (RFC 9110 section 11.1); nil for anything that cannot be a key.
    init?(authorization header: String) {
        let bytes = Array(header.utf8)
        let start = bytes.firstIndex { $0 != UInt8(ascii: " ") } ?? 0
        let keyStart = start + Self.scheme.count + 1
        guard bytes.count > keyStart + Self.prefix.count, bytes[keyStart - 1] == UInt8(ascii: " "),
            Self.scheme.indices.allSatisfy({ bytes[start + $0] | 0x20 == Self.scheme[$0] }),
            Self.prefix.indices.allSatisfy({ bytes[keyStart + $0] == Self.prefix[$0] }),
            bytes.count - keyStart <= APIKey.maximumBytes
        else { return nil }
        let idStart = keyStart + Self.prefix.count
        guard let end = bytes[idStart...].firstIndex(of: UInt8(ascii: "_")), end > idStart, end + 1 < bytes.count else {
            return nil
        }
        keyID = String(decoding: bytes[idStart..<end], as: UTF8.self)
        digest = SHA256.hash(bytes.span.extracting(keyStart..<bytes.count))
    }
}
