/// Cuts a binary COPY stream into rows (PostgreSQL manual, "COPY", section "Binary Format"): a header, tuples, a trailer.
///
/// Free of I/O. The stream may come in pieces of any size; in practice the server sends whole tuples, which are read
/// where they lie.
struct CopyBinaryParser {
    private enum State {
        case header
        case tuples
        case trailer
    }

    private static let signature: [UInt8] = [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00]

    private var state = State.header
    /// The start of something whose end has not come yet.
    private var rest: [UInt8] = []
    private let row = PostgresCopyRow()
    /// The number of rows seen.
    private(set) var rowCount = 0

    /// Takes the next piece of the stream and calls `body` for each row that is complete with it.
    ///
    /// - Throws: `PostgresError` of kind `protocol` for a stream that is not of this format, or the error of `body`.
    mutating func consume(_ piece: UnsafeRawBufferPointer, _ body: (PostgresCopyRow) throws -> Void) throws {
        defer { row.clear() }
        if rest.isEmpty {
            let used = try unsafe parse(piece, body)
            if used < piece.count { unsafe rest.append(contentsOf: piece[used...]) }
        } else {
            var joined = rest
            unsafe joined.append(contentsOf: piece)
            rest = []
            let used = try unsafe joined.withUnsafeBytes { bytes in try unsafe parse(bytes, body) }
            rest = Array(joined[used...])
        }
    }

    /// To be called at the end of the stream.
    ///
    /// - Throws: `PostgresError` of kind `protocol` when it ended in the middle.
    func finish() throws(PostgresError) {
        guard state == .trailer, rest.isEmpty else {
            throw PostgresError(.protocol, "binary COPY: the stream ended before its trailer")
        }
    }

    /// - Returns: how many bytes were taken.
    private mutating func parse(_ bytes: UnsafeRawBufferPointer, _ body: (PostgresCopyRow) throws -> Void) throws -> Int
    {
        var offset = 0
        if state == .header {
            guard let end = try unsafe readHeader(bytes) else { return 0 }
            offset = end
            state = .tuples
        }
        while state == .tuples, bytes.count - offset >= 2 {
            let count = unsafe Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
            if count == -1 {
                state = .trailer
                offset += 2
                break
            }
            guard count >= 0 else { throw PostgresError(.protocol, "binary COPY: a tuple of \(count) fields") }
            guard let end = try unsafe row.read(bytes, at: offset + 2, count: Int(count)) else { break }
            try body(row)
            rowCount += 1
            offset = end
        }
        if state == .trailer, offset < bytes.count {
            throw PostgresError(.protocol, "binary COPY: bytes behind the trailer")
        }
        return offset
    }

    /// Signature, 32 bits of flags, length of an extension area, which is skipped.
    private func readHeader(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) -> Int? {
        let fixed = Self.signature.count + 8
        guard bytes.count >= fixed else { return nil }
        guard unsafe bytes.prefix(Self.signature.count).elementsEqual(Self.signature) else {
            throw PostgresError(.protocol, "the COPY stream is not in binary format: say WITH (FORMAT binary)")
        }
        let flags = unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 11, as: UInt32.self))
        let extra = unsafe Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: 15, as: Int32.self))
        // Bits 16 to 31 mark features a reader must know; bits below may be ignored.
        guard flags >> 16 == 0, extra >= 0 else {
            throw PostgresError(.protocol, "binary COPY: a header with unknown features")
        }
        return Int(extra) <= bytes.count - fixed ? fixed + Int(extra) : nil
    }
}
