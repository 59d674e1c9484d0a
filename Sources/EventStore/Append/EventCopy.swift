import Postgres

/// Inserts events by binary COPY, from the same bytes that their hashes cover.
enum EventCopy {
    static let command = "COPY entitled.events FROM STDIN WITH (FORMAT binary)"
    private static let hashLength: [UInt8] = [0, 0, 0, 32]

    /// - Parameter meanwhile: work that is done while the server takes the rows.
    static func insert(
        _ rows: [HashedRow],
        _ session: PostgresSession,
        meanwhile: () throws -> Void = {}
    ) throws {
        _ = try session.copyIn(command) { writer in
            for row in rows { try write(row.row, hash: row.hash, to: writer) }
            try writer.send()
            try meanwhile()
        }
    }

    /// Writes one event.
    static func write(_ row: EventRow, hash: [UInt8], to writer: PostgresCopyWriter) throws {
        try writer.writeEncodedRow(fieldCount: EventRow.columnCount + 1, row.bytes, hashLength, hash)
    }
}
