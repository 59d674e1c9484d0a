import X509

extension MarkedText {
    /// The text that was laid open.
    ///
    /// - Parameters:
    ///   - chains: the texts of the chains, in the order that marks count them by.
    ///   - signatures: 64 bytes each.
    /// - Throws: `EvidenceError` when the marks make no text.
    static func text(
        of bytes: [UInt8],
        chains: [[UInt8]],
        signatures: Span<UInt8>
    ) throws(EvidenceError) -> [UInt8] {
        // The text, and the header or the payload of each signed text that is open.
        var open: [[UInt8]] = [[]]
        var usedSignatures = 0
        var literal = 0
        var place = 0
        while place < bytes.count {
            let mark = bytes[place]
            if mark >= EvidenceFormat.Mark.end {
                place += 1
                continue
            }
            var top = open.removeLast()
            top.append(contentsOf: bytes[literal..<place])
            place += 1
            switch mark {
            case EvidenceFormat.Mark.chain:
                guard place < bytes.count, case let index = Int(bytes[place]) - Int(EvidenceFormat.firstChain),
                    chains.indices.contains(index)
                else { throw EvidenceError("a mark names a certificate chain that is not listed") }
                top.append(contentsOf: chains[index])
                place += 1
                open.append(top)
            case EvidenceFormat.Mark.header:
                guard open.count < EvidenceFormat.mostDepth else { throw EvidenceError("the marks nest too deeply") }
                open.append(top)
                open.append([])
            case EvidenceFormat.Mark.payload:
                guard !open.isEmpty else { throw EvidenceError("the marks are out of order") }
                var outer = open.removeLast()
                outer.append(contentsOf: Base64URL.encode(top))
                outer.append(UInt8(ascii: "."))
                open.append(outer)
                open.append([])
            case EvidenceFormat.Mark.signature:
                let end = (usedSignatures + 1) * EvidenceFormat.signatureLength
                guard !open.isEmpty, end <= signatures.count else { throw EvidenceError("the marks are out of order") }
                var outer = open.removeLast()
                outer.append(contentsOf: Base64URL.encode(top))
                outer.append(UInt8(ascii: "."))
                let signature = signatures.extracting((end - EvidenceFormat.signatureLength)..<end)
                outer.append(contentsOf: Base64URL.encode(signature.copiedBytes))
                open.append(outer)
                usedSignatures += 1
            default:
                throw EvidenceError("an unknown mark")
            }
            literal = place
        }
        guard var text = open.popLast(), open.isEmpty,
            usedSignatures * EvidenceFormat.signatureLength == signatures.count
        else { throw EvidenceError("the marks are out of order") }
        text.append(contentsOf: bytes[literal...])
        return text
    }
}
