import CLibpq
import Glibc

extension PostgresSession {
    /// Runs `COPY … FROM STDIN WITH (FORMAT binary)` with the rows that `body` writes.
    ///
    /// The server gets ready for rows while `body` runs; the first ones that are sent off wait for it.
    ///
    /// - Returns: the number of rows the server took.
    /// - Throws: the error of `body`, after which nothing was copied, or `PostgresError`.
    @discardableResult
    package func copyIn(_ sql: String, _ body: (PostgresCopyWriter) throws -> Void) throws -> Int {
        try Self.checkText(sql)
        var failure: (any Error)?
        let result: PostgresResult
        do {
            result = try command { () throws(PostgresError) in
                try sendCopy(sql)
                let writer = PostgresCopyWriter(session: self)
                do {
                    try body(writer)
                    try writer.finish()
                } catch {
                    failure = error
                }
                try writer.waitUntilReady()
                let reason = failure == nil ? nil : "the client stopped"
                guard unsafe PQputCopyEnd(connection.pointer, reason) == 1 else { throw connectionError() }
                return PostgresResult(try finishCommand())
            }
        } catch {
            throw error.isConnectionLost ? error : failure ?? error
        }
        if let failure { throw failure }
        return result.affectedRowCount
    }

    /// Runs `COPY … TO STDOUT` and lends each piece of the stream to `body`, whatever its format; the server sends one
    /// piece per row.
    ///
    /// - Throws: the error of `body`, after the server was told to stop, or `PostgresError`.
    package func copyOut(_ sql: String, _ body: (Span<UInt8>) throws -> Void) throws {
        try unsafe copyOutPieces(sql) { piece in
            try unsafe body(piece.bindMemory(to: UInt8.self).span)
        }
    }

    /// Runs `COPY … TO STDOUT WITH (FORMAT binary)` and lends each row to `body`. The fastest way to read many rows;
    /// the memory it takes does not grow with their number.
    ///
    /// - Returns: the number of rows.
    /// - Throws: the error of `body`, after the server was told to stop, or `PostgresError`.
    @discardableResult
    package func copyOutRows(_ sql: String, _ body: (PostgresCopyRow) throws -> Void) throws -> Int {
        var parser = CopyBinaryParser()
        try unsafe copyOutPieces(sql) { piece in try unsafe parser.consume(piece, body) }
        try parser.finish()
        return parser.rowCount
    }

    private func copyOutPieces(_ sql: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try Self.checkText(sql)
        var failure: (any Error)?
        do {
            try command { () throws(PostgresError) in
                try sendCopy(sql)
                try waitForCopy(PGRES_COPY_OUT)
                while let piece = try unsafe nextPiece() {
                    defer { unsafe PQfreemem(piece.baseAddress) }
                    if failure != nil { continue }
                    do {
                        try unsafe body(UnsafeRawBufferPointer(piece))
                    } catch {
                        failure = error
                        // What is on its way already is read and dropped.
                        cancelHandle.cancel()
                    }
                }
                _ = try finishCommand()
            }
        } catch {
            throw error.isConnectionLost ? error : failure ?? error
        }
        if let failure { throw failure }
    }

    private func sendCopy(_ sql: String) throws(PostgresError) {
        guard unsafe PQsendQuery(connection.pointer, sql) == 1 else { throw connectionError() }
    }

    /// Waits until the server takes or gives rows.
    ///
    /// - Throws: why it does not; the command is over then.
    func waitForCopy(_ expected: ExecStatusType) throws(PostgresError) {
        guard let first = try nextResult() else { throw connectionError() }
        if first.status == expected { return }
        let failure: PostgresError
        switch first.status {
        case PGRES_FATAL_ERROR: failure = error(first)
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            leaveCopy(first.status)
            failure = PostgresError(.protocol, "COPY goes in the other direction")
        default: failure = PostgresError(.protocol, "not a COPY command")
        }
        while try nextResult(after: failure) != nil {}
        throw failure
    }

    /// The next piece of the stream, to be freed by the caller, or nil at its end.
    private func nextPiece() throws(PostgresError) -> UnsafeMutableRawBufferPointer? {
        var start: UnsafeMutablePointer<CChar>?
        while true {
            let length = unsafe PQgetCopyData(connection.pointer, &start, 1)
            if length > 0 { return unsafe UnsafeMutableRawBufferPointer(start: start, count: Int(length)) }
            // -1: the end. -2: a failure, which the command's result reports.
            if length < 0 { return nil }
            try waitForServer()
            if unsafe PQconsumeInput(connection.pointer) == 0 { throw connectionError() }
        }
    }
}
