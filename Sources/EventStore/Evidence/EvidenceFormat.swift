import Compression

/// The form of stored texts (Sources/EventStore/README.md, "Evidence").
enum EvidenceFormat {
    /// The first byte of what is stored.
    enum Form {
        /// The text as it is follows.
        static let plain: UInt8 = 0
        /// Chains, signatures, and the marked text compressed with dictionary 1 follow.
        static let marked: UInt8 = 1
        /// The text is base64; the bytes it stands for follow, compressed with dictionary 1.
        static let base64: UInt8 = 2
    }

    /// What stands in a marked text for what was taken out. The text itself has none of these characters.
    enum Mark {
        /// A certificate chain; the next byte says which one, counted from "0".
        static let chain: UInt8 = 1
        /// A JWS begins: its header, decoded, follows.
        static let header: UInt8 = 2
        /// Its header ends and its payload follows, decoded.
        static let payload: UInt8 = 3
        /// Its payload ends; its signature is the next one of the list.
        static let signature: UInt8 = 4
        /// All marks are below it.
        static let end: UInt8 = 5
    }

    static let firstChain = UInt8(ascii: "0")
    static let mostChains = 8
    static let mostSignatures = 200
    /// A text in a text in a text: no statement of the App Store goes deeper than two.
    static let mostDepth = 4
    /// ES256: two numbers of 32 bytes (RFC 7518 section 3.4).
    static let signatureLength = 64
    static let signatureTextLength = 86
    /// More than any request may hold.
    static let longestText = 64 * 1024 * 1024

    /// Dictionary 1. Its bytes are a part of the format: another dictionary comes with another form.
    static let dictionary: ZstandardDictionary = {
        do {
            return try ZstandardDictionary(content: PackageResources.dictionary_1_bin, level: 3)
        } catch {
            fatalError("\(error)")
        }
    }()
}
