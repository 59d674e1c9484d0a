import Synchronization
import X509

/// Headers of signed texts, laid open. They differ by certificate only, so the last few are kept: the usual text needs
/// no decoding of its certificates.
final class KnownHeaders: Sendable {
    /// A header around its certificate chain.
    struct Header: Sendable {
        var beforeChain: [UInt8]
        /// Nil: it has none; then all of it is in `beforeChain`.
        var chain: CertificateChain?
        var afterChain: [UInt8]
    }

    private struct Entry {
        var text: [UInt8]
        var header: Header
    }

    /// The last one used first.
    private let entries = Mutex<[Entry]>([])
    private let limit = 16
    /// A shorter one is no longer than what names it.
    private static let shortestChain = 64

    /// - Parameter text: base64url. Nil when it is not.
    func header(_ text: Span<UInt8>) -> Header? {
        // Compared outside the lock: every text comes through here.
        let known = entries.withLock { $0 }
        if let index = known.firstIndex(where: { $0.text.span.hasSameBytes(as: text) }) {
            if index > 0 { bringForward(known[index]) }
            return known[index].header
        }
        guard let bytes = Base64URL.decode(text) else { return nil }
        let header = Self.open(bytes)
        if header.chain != nil {
            let entry = Entry(text: text.copiedBytes, header: header)
            entries.withLock { entries in
                if entries.count >= limit { entries.removeLast() }
                entries.insert(entry, at: 0)
            }
        }
        return header
    }

    private func bringForward(_ entry: Entry) {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.header.chain?.id == entry.header.chain?.id }) else {
                return
            }
            entries.swapAt(0, index)
        }
    }

    private static func open(_ bytes: [UInt8]) -> Header {
        let name = Array("\"x5c\":[".utf8)
        let span = bytes.span
        var place = 0
        while let quote = span.firstOffset(of: UInt8(ascii: "\""), from: place) {
            place = quote + 1
            guard bytes[quote...].starts(with: name) else { continue }
            let open = quote + name.count - 1
            guard let close = span.firstOffset(of: UInt8(ascii: "]"), from: open) else { break }
            guard close - open >= shortestChain else { break }
            return Header(
                beforeChain: Array(bytes[..<open]),
                chain: CertificateChain(Array(bytes[open...close])),
                afterChain: Array(bytes[(close + 1)...])
            )
        }
        return Header(beforeChain: bytes, chain: nil, afterChain: [])
    }
}
