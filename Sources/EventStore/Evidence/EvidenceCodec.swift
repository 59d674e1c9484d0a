import Compression
import X509

/// Turns signed texts into the bytes that are stored and back, byte for byte.
///
/// What is stored is proved when it is written: it is decoded again and compared, and where that should not give the
/// text, the text is stored as it is.
struct EvidenceCodec: Sendable {
    /// A text in its stored form.
    struct Encoded: Sendable, Hashable {
        var bytes: [UInt8]
        /// The chains that the bytes name; they are stored beside the texts.
        var chains: [CertificateChain]
    }

    private let headers = KnownHeaders()

    /// The stored form of a text.
    func encode(_ text: [UInt8]) -> Encoded {
        encodeCompactly(text) ?? Encoded(bytes: [EvidenceFormat.Form.plain] + text, chains: [])
    }

    /// Nil when the text does not come back from it, or it is not shorter.
    private func encodeCompactly(_ text: [UInt8]) -> Encoded? {
        let encoded = text.span.firstOffset(of: UInt8(ascii: ".")) != nil ? marked(text) : base64(text) ?? marked(text)
        guard let encoded, encoded.bytes.count <= text.count else { return nil }
        let chains = Dictionary(uniqueKeysWithValues: encoded.chains.map { ($0.id, $0.text) })
        guard let decoded = try? decode(encoded.bytes.span, chain: { chains[$0] }),
            decoded.span.hasSameBytes(as: text.span)
        else {
            return nil
        }
        return encoded
    }

    /// The text of a stored form.
    ///
    /// - Parameter chain: gives the text of a chain; nil: it is not known.
    /// - Throws: `EvidenceError`.
    func decode(
        _ bytes: Span<UInt8>,
        chain: (CertificateChain.ID) -> [UInt8]?
    ) throws(EvidenceError) -> [UInt8] {
        guard let form = bytes.isEmpty ? nil : bytes[0] else { throw EvidenceError("it is empty") }
        switch form {
        case EvidenceFormat.Form.plain:
            return bytes.extracting(1...).copiedBytes
        case EvidenceFormat.Form.base64:
            return Base64.encode(try decompress(bytes.extracting(1...)))
        case EvidenceFormat.Form.marked:
            let chains = try Self.chains(in: bytes)
            var start = 2 + chains.count * CertificateChain.ID.length
            guard start < bytes.count else { throw EvidenceError("it is cut off") }
            let end = start + 1 + Int(bytes[start]) * EvidenceFormat.signatureLength
            start += 1
            guard end < bytes.count else { throw EvidenceError("it is cut off") }
            var texts: [[UInt8]] = []
            for id in chains {
                guard let text = chain(id) else {
                    throw EvidenceError("the certificate chain \(Hexadecimal.text(id.bytes)) is missing")
                }
                texts.append(text)
            }
            return try MarkedText.text(
                of: try decompress(bytes.extracting(end...)),
                chains: texts,
                signatures: bytes.extracting(start..<end)
            )
        default:
            throw EvidenceError("its form \(form) is not known to this version")
        }
    }

    /// The chains that a stored form names.
    ///
    /// - Throws: `EvidenceError` when it is cut off.
    static func chains(in bytes: Span<UInt8>) throws(EvidenceError) -> [CertificateChain.ID] {
        guard !bytes.isEmpty, bytes[0] == EvidenceFormat.Form.marked else { return [] }
        guard bytes.count >= 2, case let count = Int(bytes[1]),
            bytes.count >= 2 + count * CertificateChain.ID.length
        else { throw EvidenceError("it is cut off") }
        return (0..<count).map { index in
            let start = 2 + index * CertificateChain.ID.length
            return CertificateChain.ID(
                bytes: bytes.extracting(start..<(start + CertificateChain.ID.length)).copiedBytes
            )
        }
    }

    // MARK: Forms

    private func marked(_ text: [UInt8]) -> Encoded? {
        guard let marked = MarkedText(text.span, headers: headers),
            let frame = try? EvidenceFormat.dictionary.compress(marked.bytes)
        else { return nil }
        var bytes = [EvidenceFormat.Form.marked, UInt8(marked.chains.count)]
        bytes.reserveCapacity(bytes.count + marked.chains.count * 16 + 1 + marked.signatures.count + frame.count)
        for chain in marked.chains { bytes.append(contentsOf: chain.id.bytes) }
        bytes.append(UInt8(marked.signatures.count / EvidenceFormat.signatureLength))
        bytes.append(contentsOf: marked.signatures)
        bytes.append(contentsOf: frame)
        return Encoded(bytes: bytes, chains: marked.chains)
    }

    private func base64(_ text: [UInt8]) -> Encoded? {
        guard !text.isEmpty, let bytes = Base64.decode(text),
            let frame = try? EvidenceFormat.dictionary.compress(bytes)
        else { return nil }
        return Encoded(bytes: [EvidenceFormat.Form.base64] + frame, chains: [])
    }

    private func decompress(_ frame: Span<UInt8>) throws(EvidenceError) -> [UInt8] {
        do {
            return try EvidenceFormat.dictionary.decompress(frame, limit: EvidenceFormat.longestText)
        } catch {
            throw EvidenceError(error.reason)
        }
    }
}
