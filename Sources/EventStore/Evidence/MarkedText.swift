/// A text with its signed parts laid open: base64url decoded, also of the signed texts within signed texts; the
/// certificate chains and the signatures taken out and marks in their places.
struct MarkedText {
    var bytes: [UInt8] = []
    /// Each chain once, in the order of their first marks.
    var chains: [CertificateChain] = []
    /// 64 bytes each, in the order of their marks.
    var signatures: [UInt8] = []
    var markCount = 0

    /// The byte that names a chain behind its mark; nil when there are too many.
    mutating func number(of chain: CertificateChain) -> UInt8? {
        let index: Int
        if let known = chains.firstIndex(where: { $0.id == chain.id }) {
            index = known
        } else {
            index = chains.count
            guard index < EvidenceFormat.mostChains else { return nil }
            chains.append(chain)
        }
        return EvidenceFormat.firstChain + UInt8(index)
    }

    mutating func mark(_ mark: UInt8) {
        bytes.append(mark)
        markCount += 1
    }
}
