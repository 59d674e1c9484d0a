import JSON
import Simulator
import X509

/// Reads signed texts in the tests' own way.
enum SignedText {
    static let signing = try! ScenarioSigning.make()

    /// The payload of a text signed by the chain that stands for the App Store's; nil for any other text.
    static func genuinePayload(of text: String) -> JSONValue? {
        verifiedPayload(of: text, by: signing.appStore.key.publicKey)
    }

    /// The payload of a text whose header lists the certificate that stands for Xcode's, and no other.
    static func xcodePayload(of text: String) -> JSONValue? {
        guard let header = bytes(of: text, part: 0).flatMap({ try? JSONParser.parse($0) }),
            let list = header["x5c"]?.arrayValue, list.count == 1,
            let listed = list[0].stringValue, Base64.decode(listed.utf8) == signing.xcodeCertificate
        else { return nil }
        return payload(of: text).flatMap { try? JSONParser.parse($0) }
    }

    /// The payload's bytes, whoever signed it.
    static func payload(of text: String) -> [UInt8]? {
        bytes(of: text, part: 1)
    }

    static func verifiedPayload(of text: String, by key: P256PublicKey) -> JSONValue? {
        guard let payload = payload(of: text), let signature = bytes(of: text, part: 2),
            let end = text.utf8.lastIndex(of: UInt8(ascii: ".")),
            key.isValidSignature(signature, over: Array(text.utf8[..<end]))
        else { return nil }
        return try? JSONParser.parse(payload)
    }

    private static func bytes(of text: String, part: Int) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? Base64URL.decode(parts[part].utf8) : nil
    }
}
