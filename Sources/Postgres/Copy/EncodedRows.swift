/// Rows of a binary COPY that were kept as they came, one behind the other: for each its field count and its fields.
package struct EncodedRows: Sendable {
    /// The rows' bytes.
    package private(set) var bytes: [UInt8]

    /// No rows yet, or rows that were kept elsewhere meanwhile.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Keeps a row that is lent.
    package mutating func append(_ row: PostgresCopyRow) {
        guard let encoded = unsafe row.encoded else { return }
        bytes.append(UInt8(truncatingIfNeeded: row.count >> 8))
        bytes.append(UInt8(truncatingIfNeeded: row.count))
        unsafe bytes.append(contentsOf: encoded)
    }

    /// Keeps rows that were kept elsewhere.
    package mutating func append(_ other: EncodedRows) {
        bytes.append(contentsOf: other.bytes)
    }

    /// Lends each row, with the place where it begins.
    ///
    /// - Throws: `PostgresError` of kind `protocol` for bytes that are no such rows, or the error of `body`.
    package func readAll(_ body: (_ offset: Int, PostgresCopyRow) throws -> Void) throws {
        let row = PostgresCopyRow()
        defer { row.clear() }
        try unsafe bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let end = try unsafe Self.point(row, bytes, at: offset)
                try body(offset, row)
                offset = end
            }
        }
    }

    /// Lends the rows that begin at places found before, in the order of the places.
    ///
    /// - Throws: as `readAll`.
    package func read(at offsets: some Sequence<Int>, _ body: (PostgresCopyRow) throws -> Void) throws {
        let row = PostgresCopyRow()
        defer { row.clear() }
        try unsafe bytes.withUnsafeBytes { bytes in
            for offset in offsets {
                _ = try unsafe Self.point(row, bytes, at: offset)
                try body(row)
            }
        }
    }

    private static func point(
        _ row: PostgresCopyRow,
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int
    ) throws(PostgresError) -> Int {
        guard offset >= 0, bytes.count - offset >= 2 else { throw damaged }
        let count = unsafe Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
        guard count >= 0, let end = try unsafe row.read(bytes, at: offset + 2, count: Int(count)) else { throw damaged }
        return end
    }

    private static let damaged = PostgresError(.protocol, "kept rows are cut off or are no rows")
}
