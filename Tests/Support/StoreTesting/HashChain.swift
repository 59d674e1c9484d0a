package import Postgres
import X509

/// Checks the hash chain from the outside: from the bytes of a binary `COPY` alone, with none of the product's code but
/// SHA-256.
package struct HashChain {
    /// The hash of each event, as its column holds it.
    package private(set) var hashes: [[UInt8]] = []
    /// Positions whose hash does not follow from the event before and their own bytes.
    package private(set) var broken: [Int] = []
    /// The text of each event's payload as the server sends it.
    package private(set) var payloads: [[UInt8]] = []

    /// Reads the whole log.
    ///
    /// - Throws: what the database throws.
    package init(_ session: PostgresSession) throws {
        var stream: [UInt8] = []
        try session.copyOut(
            "COPY (SELECT * FROM entitled.events ORDER BY position) TO STDOUT WITH (FORMAT binary)"
        ) { piece in
            for index in piece.indices { stream.append(piece[index]) }
        }
        // PostgreSQL manual, COPY, "Binary Format": 11 bytes of signature, flags, length of an empty extension.
        var offset = 19
        var previous = [UInt8](repeating: 0, count: 32)
        func integer(_ count: Int) -> Int {
            defer { offset += count }
            let value = stream[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
            return value >= 1 << (8 * count - 1) ? value - 1 << (8 * count) : value
        }
        while true {
            let columns = integer(2)
            if columns == -1 { break }
            let start = offset
            for column in 1..<columns {
                let length = integer(4)
                // jsonb goes out as a version byte and its text.
                if column == columns - 1 { payloads.append(Array(stream[offset + 1..<offset + length])) }
                offset += max(length, 0)
            }
            let fields = stream[start..<offset]
            let hashLength = integer(4)
            let hash = Array(stream[offset..<offset + hashLength])
            offset += hashLength
            if SHA256.hash(previous + fields).bytes != hash { broken.append(hashes.count + 1) }
            previous = hash
            hashes.append(hash)
        }
    }
}
