import X509

/// A way to spoil a signed text.
package enum Tampering: String, Sendable, CaseIterable {
    /// One bit of the signature is turned.
    case signature
    /// The text is signed by a chain nobody trusts.
    case chain
    /// One character of the payload is changed after signing; it is JSON of the same shape still.
    case payload

    /// The compact serialization (RFC 7515 section 7.1) spoiled; `chain` is a matter of signing and changes nothing
    /// here.
    func spoil(_ text: String) -> String {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let index = self == .payload ? 1 : 2
        guard self != .chain, parts.count == 3, var bytes = Base64URL.decode(parts[index].utf8), !bytes.isEmpty else {
            return text
        }
        switch self {
        case .signature: bytes[bytes.count - 1] ^= 1
        case .payload: Self.change(&bytes)
        case .chain: break
        }
        parts[index] = String(decoding: Base64URL.encode(bytes), as: UTF8.self)
        return parts.joined(separator: ".")
    }

    /// A receipt spoiled; `chain` is a matter of signing and changes nothing here.
    ///
    /// - Parameter payload: what was signed.
    func spoil(receipt text: String, payload: [UInt8]) -> String {
        guard var bytes = Base64.decode(text.utf8), !bytes.isEmpty else { return text }
        switch self {
        case .signature:
            // The message ends in its signature.
            bytes[bytes.count - 1] ^= 1
        case .payload:
            guard let place = bytes.firstRange(of: payload) else { return text }
            var changed = payload
            Self.change(&changed)
            bytes.replaceSubrange(place, with: changed)
        case .chain: break
        }
        return String(decoding: Base64.encode(bytes), as: UTF8.self)
    }

    /// Changes the last digit that follows a digit: a number or a text stays one, with another value.
    private static func change(_ bytes: inout [UInt8]) {
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let place = bytes.indices.dropFirst().last { isDigit(bytes[$0]) && isDigit(bytes[$0 - 1]) }
        guard let place else {
            bytes[bytes.count / 2] ^= 1
            return
        }
        bytes[place] = bytes[place] == UInt8(ascii: "9") ? UInt8(ascii: "0") : bytes[place] + 1
    }
}
