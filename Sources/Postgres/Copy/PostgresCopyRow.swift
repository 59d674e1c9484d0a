/// One row of a binary COPY, lent to a closure; the object is used again for the next row, so keep values, not the row.
///
/// COPY does not name its columns' types: an accessor checks the length only, where the type has a fixed one.
@safe
package final class PostgresCopyRow {
    /// Where a field lies in the tuple's bytes.
    private struct Place {
        var offset: Int
        /// -1 for NULL.
        var length: Int

        /// The offset behind the field.
        var end: Int { offset + max(length, 0) }
    }

    private var base: UnsafeRawPointer?
    private var places: [Place] = []

    /// The number of fields; 0 outside of the closure the row is lent to.
    package var count: Int { places.count }

    /// Whether a field holds NULL.
    package func isNull(_ column: Int) throws(PostgresError) -> Bool {
        try unsafe field(column).start == nil
    }

    /// Lends the bytes of a field without a copy; nil for NULL.
    package func withBytes<Result: ~Copyable>(
        _ column: Int,
        _ body: (Span<UInt8>?) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        let field = try unsafe field(column)
        guard unsafe field.start != nil else { return try body(nil) }
        return try unsafe body(field.buffer.bindMemory(to: UInt8.self).span)
    }

    /// Lends consecutive fields in the form they came in, without a copy: for each its four-byte big-endian length (-1:
    /// NULL) and its bytes.
    package func withEncodedFields<Result: ~Copyable>(
        _ columns: Range<Int>,
        _ body: (Span<UInt8>) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        guard let first = columns.first, let last = columns.last, first >= 0, last < places.count,
            let base = unsafe base
        else { throw PostgresError(.decoding, "columns \(columns) lie outside a row of \(places.count) fields") }
        let start = places[first].offset - 4
        let bytes = unsafe UnsafeRawBufferPointer(start: base + start, count: places[last].end - start)
        return try unsafe body(bytes.bindMemory(to: UInt8.self).span)
    }

    /// The bytes of all fields as they came; nil for a row without fields.
    var encoded: UnsafeRawBufferPointer? {
        guard let first = places.first, let last = places.last, let base = unsafe base else { return nil }
        let start = first.offset - 4
        return unsafe UnsafeRawBufferPointer(start: base + start, count: last.end - start)
    }

    /// Points the row at the tuple that starts at `offset`.
    ///
    /// - Returns: the offset behind the tuple, or nil when `bytes` ends before it does.
    /// - Throws: `PostgresError` of kind `protocol` for bytes that are no tuple.
    func read(_ bytes: UnsafeRawBufferPointer, at offset: Int, count: Int) throws(PostgresError) -> Int? {
        clear()
        // Worked on outside of the object: each change inside of it would be checked for exclusive access.
        var places: [Place] = []
        swap(&places, &self.places)
        defer { swap(&places, &self.places) }
        var offset = offset
        for _ in 0..<count {
            guard bytes.count - offset >= 4 else { return nil }
            let length = unsafe Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
            offset += 4
            guard length >= -1 else { throw PostgresError(.protocol, "binary COPY: a field of length \(length)") }
            guard length <= bytes.count - offset else { return nil }
            places.append(Place(offset: offset, length: length))
            offset += max(length, 0)
        }
        unsafe base = bytes.baseAddress
        return offset
    }

    /// Forgets the tuple: its memory is about to go.
    func clear() {
        places.removeAll(keepingCapacity: true)
        unsafe base = nil
    }

    @inline(__always)
    private func field(_ column: Int) throws(PostgresError) -> FieldBytes {
        guard column >= 0, column < places.count, let base = unsafe base else {
            throw PostgresError(.decoding, "column \(column) lies outside a row of \(places.count) fields")
        }
        let place = places[column]
        return unsafe FieldBytes(
            start: place.length < 0 ? nil : base + place.offset,
            count: max(place.length, 0),
            type: .unspecified
        )
    }

    @inline(__always)
    func required<Value>(
        _ column: Int,
        _ wanted: StaticString,
        _ decode: (FieldBytes) -> Value?
    ) throws(PostgresError) -> Value {
        let field = try unsafe field(column)
        if unsafe field.start != nil, let value = unsafe decode(field) { return value }
        throw mismatch(column, wanted)
    }

    @inline(__always)
    func optional<Value>(
        _ column: Int,
        _ wanted: StaticString,
        _ decode: (FieldBytes) -> Value?
    ) throws(PostgresError) -> Value? {
        let field = try unsafe field(column)
        if unsafe field.start == nil { return nil }
        if let value = unsafe decode(field) { return value }
        throw mismatch(column, wanted)
    }

    @inline(never)
    private func mismatch(_ column: Int, _ wanted: StaticString) -> PostgresError {
        let length = places[column].length
        let found = length < 0 ? "NULL" : "\(length) bytes that cannot be read as such"
        return PostgresError(.decoding, "column \(column) of a COPY row: expected \(wanted), found \(found)")
    }
}
