import Postgres

/// Inserts events by binary COPY, from the same bytes that their hashes cover.
enum EventCopy {
    static let command = "COPY entitled.events FROM STDIN WITH (FORMAT binary)"
    private static let hashLength: [UInt8] = [0, 0, 0, 32]

    /// Writes one event.
    static func write(_ row: EventRow, hash: [UInt8], to writer: PostgresCopyWriter) throws {
        try writer.writeEncodedRow(fieldCount: EventRow.columnCount + 1, row.bytes, hashLength, hash)
    }
}
