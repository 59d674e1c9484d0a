import Postgres

/// Inserts events by binary COPY, from the same bytes that their hashes cover.
enum EventCopy {
    static let command = "COPY entitled.events FROM STDIN WITH (FORMAT binary)"
    private static let hashLength: [UInt8] = [0, 0, 0, 32]

    static func insert(_ rows: [(row: EventRow, hash: [UInt8])], _ session: PostgresSession) throws {
        _ = try session.copyIn(command) { writer in
            for (row, hash) in rows { try write(row, hash: hash, to: writer) }
        }
    }

    /// Writes one event.
    static func write(_ row: EventRow, hash: [UInt8], to writer: PostgresCopyWriter) throws {
        try writer.writeEncodedRow(fieldCount: EventRow.columnCount + 1, row.bytes, hashLength, hash)
    }
}
