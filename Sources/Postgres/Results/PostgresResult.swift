import CLibpq

/// The rows a statement returned, in the server's binary format, decoded cell by cell on demand.
///
/// Reading a cell checks row, column, type and NULL; a mismatch throws `PostgresError` of kind `decoding`. Decoding a
/// number or UUID allocates nothing.
///
/// Sendable because what the pointer points to is never changed after the result was made; see `ResultHandle`.
@safe
package struct PostgresResult: @unchecked Sendable {
    /// Keeps what `pointer` points to.
    private let owner: ResultHandle
    /// The owner's pointer, here so that a cell is read without a look into another object.
    private let pointer: OpaquePointer
    /// The number of rows.
    package let rowCount: Int
    /// The number of columns.
    package let columnCount: Int

    init(_ handle: ResultHandle) {
        owner = handle
        unsafe pointer = handle.pointer
        rowCount = unsafe Int(PQntuples(handle.pointer))
        columnCount = unsafe Int(PQnfields(handle.pointer))
    }

    /// Whether there is no row.
    package var isEmpty: Bool { rowCount == 0 }

    /// The row numbers, for loops.
    package var rows: Range<Int> { 0..<rowCount }

    /// How many rows an INSERT, UPDATE, DELETE, MERGE or COPY touched, or a SELECT returned; 0 for other commands.
    package var affectedRowCount: Int {
        defer { withExtendedLifetime(owner) {} }
        return unsafe PQcmdTuples(pointer).flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    /// The server's command tag, for example `INSERT 0 1`.
    package var commandTag: String {
        defer { withExtendedLifetime(owner) {} }
        return unsafe PQcmdStatus(pointer).map { unsafe String(cString: $0) } ?? ""
    }

    /// The name of a column, or nil where there is none.
    package func columnName(_ column: Int) -> String? {
        defer { withExtendedLifetime(owner) {} }
        return unsafe PQfname(pointer, Int32(clamping: column)).map { unsafe String(cString: $0) }
    }

    /// The type of a column, or nil where there is none.
    package func columnType(_ column: Int) -> PostgresType? {
        guard column >= 0, column < columnCount else { return nil }
        defer { withExtendedLifetime(owner) {} }
        return unsafe PostgresType(rawValue: PQftype(pointer, Int32(column)))
    }

    /// The place of the first column with exactly this name. Look it up once before a loop over rows.
    ///
    /// - Throws: `PostgresError` of kind `decoding` when there is none.
    package func column(_ name: String) throws(PostgresError) -> Int {
        for index in 0..<columnCount where columnName(index) == name { return index }
        throw PostgresError(.decoding, "the result has no column \"\(name)\"")
    }

    /// Whether a cell holds NULL.
    package func isNull(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
        defer { withExtendedLifetime(owner) {} }
        return try unsafe field(row, column).start == nil
    }

    /// Lends the bytes of a cell as the server sent them, without a copy; nil for NULL.
    package func withBytes<Result: ~Copyable>(
        _ row: Int,
        _ column: Int,
        _ body: (Span<UInt8>?) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        defer { withExtendedLifetime(owner) {} }
        let field = try unsafe field(row, column)
        guard unsafe field.start != nil else { return try body(nil) }
        return try unsafe body(field.buffer.bindMemory(to: UInt8.self).span)
    }
}

extension PostgresResult {
    /// The bytes of a cell; they live as long as the result's owner.
    @inline(__always)
    func field(_ row: Int, _ column: Int) throws(PostgresError) -> FieldBytes {
        guard row >= 0, row < rowCount, column >= 0, column < columnCount else {
            throw outOfRange(row, column)
        }
        let (row32, column32) = (Int32(truncatingIfNeeded: row), Int32(column))
        let type = unsafe PostgresType(rawValue: PQftype(pointer, column32))
        if unsafe PQgetisnull(pointer, row32, column32) != 0 {
            return unsafe FieldBytes(start: nil, count: 0, type: type)
        }
        return unsafe FieldBytes(
            start: UnsafeRawPointer(PQgetvalue(pointer, row32, column32)),
            count: Int(PQgetlength(pointer, row32, column32)),
            type: type
        )
    }

    @inline(__always)
    func required<Value>(
        _ row: Int,
        _ column: Int,
        _ wanted: StaticString,
        _ decode: (FieldBytes) -> Value?
    ) throws(PostgresError) -> Value {
        defer { withExtendedLifetime(owner) {} }
        let field = try unsafe field(row, column)
        if unsafe field.start != nil, let value = unsafe decode(field) { return value }
        throw mismatch(row, column, wanted)
    }

    @inline(__always)
    func optional<Value>(
        _ row: Int,
        _ column: Int,
        _ wanted: StaticString,
        _ decode: (FieldBytes) -> Value?
    ) throws(PostgresError) -> Value? {
        defer { withExtendedLifetime(owner) {} }
        let field = try unsafe field(row, column)
        if unsafe field.start == nil { return nil }
        if let value = unsafe decode(field) { return value }
        throw mismatch(row, column, wanted)
    }

    @inline(never)
    private func outOfRange(_ row: Int, _ column: Int) -> PostgresError {
        PostgresError(
            .decoding,
            "row \(row), column \(column) lies outside a result of \(rowCount) rows and \(columnCount) columns"
        )
    }

    @inline(never)
    private func mismatch(_ row: Int, _ column: Int, _ wanted: StaticString) -> PostgresError {
        let name = columnName(column) ?? String(column)
        let type = columnType(column).map { "\($0)" } ?? "unknown"
        let isNull = (try? isNull(row, column)) ?? false
        let found = isNull ? "NULL" : "a value of type \(type) that cannot be read as such"
        return PostgresError(.decoding, "column \"\(name)\" of row \(row): expected \(wanted), found \(found)")
    }
}
