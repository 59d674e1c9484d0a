import CLibpq

/// Builds the rows of a binary COPY into the server and sends them off in pieces. Lent to the closure of `copyIn`.
package final class PostgresCopyWriter {
    private let session: PostgresSession
    private let buffer = WireBuffer(capacity: PostgresCopyWriter.pieceBytes * 2)
    /// The number of rows written.
    package private(set) var rowCount = 0

    private static let pieceBytes = 64 * 1024

    /// Whether the server takes rows; nil: that is not known yet.
    private var readiness: Result<Void, PostgresError>?

    init(session: PostgresSession) {
        self.session = session
        // The signature of the format, no flags, no extension.
        buffer.append([0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00])
        buffer.append(Int32(0))
        buffer.append(Int32(0))
    }

    /// Appends one row: a value for each column of the COPY command, each of exactly the column's type.
    ///
    /// - Throws: `PostgresError` when the connection is lost or the work was cancelled. What the server thinks of the
    ///   row comes out at the end.
    package func writeRow(_ values: [PostgresValue]) throws(PostgresError) {
        guard let count = Int16(exactly: values.count) else {
            throw PostgresError(.protocol, "a COPY row has at most 32767 fields")
        }
        buffer.append(count)
        for value in values { value.encodeWithLength(into: buffer) }
        rowCount += 1
        if buffer.count >= Self.pieceBytes { try flush() }
    }

    /// Appends one row whose fields are in the binary format already: for each a four-byte big-endian length (-1: NULL)
    /// and its bytes.
    ///
    /// - Parameter pieces: the fields' bytes, in one or more pieces.
    /// - Throws: as `writeRow`.
    package func writeEncodedRow(fieldCount: Int16, _ pieces: [UInt8]...) throws(PostgresError) {
        buffer.append(fieldCount)
        for piece in pieces { buffer.append(piece) }
        rowCount += 1
        if buffer.count >= Self.pieceBytes { try flush() }
    }

    /// Sends off what was written so far, so that the server works on it while the caller does something else.
    ///
    /// - Throws: as `writeRow`.
    package func send() throws(PostgresError) {
        try flush()
    }

    /// Waits until the server takes rows.
    ///
    /// - Throws: why it does not, each time; the command is over then.
    func waitUntilReady() throws(PostgresError) {
        if let readiness { return try readiness.get() }
        let readiness: Result<Void, PostgresError>
        do {
            readiness = .success(try session.waitForCopy(PGRES_COPY_IN))
        } catch {
            readiness = .failure(error)
        }
        self.readiness = readiness
        try readiness.get()
    }

    func finish() throws(PostgresError) {
        buffer.append(Int16(-1))
        try flush()
    }

    private func flush() throws(PostgresError) {
        if session.cancelHandle.isRequested { throw PostgresCancelHandle.cancelled }
        try waitUntilReady()
        let sent = unsafe buffer.withBytes { bytes in
            unsafe PQputCopyData(
                session.connection.pointer,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(truncatingIfNeeded: bytes.count)
            )
        }
        guard sent == 1 else { throw session.connectionError() }
        buffer.removeAll()
    }
}
