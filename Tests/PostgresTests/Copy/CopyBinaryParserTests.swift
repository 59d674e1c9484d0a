import Testing

@testable import Postgres

@Suite struct CopyBinaryParserTests {
    private static let header: [UInt8] =
        [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00] + [UInt8](repeating: 0, count: 8)

    private func stream(_ rows: [[PostgresValue]], trailer: Bool = true) -> [UInt8] {
        let buffer = WireBuffer()
        for row in rows {
            buffer.append(Int16(row.count))
            for value in row { value.encodeWithLength(into: buffer) }
        }
        if trailer { buffer.append(Int16(-1)) }
        return unsafe Self.header + buffer.withBytes { unsafe Array($0) }
    }

    private func parse(_ pieces: [ArraySlice<UInt8>]) throws -> [String] {
        var parser = CopyBinaryParser()
        var rows: [String] = []
        for piece in pieces {
            try unsafe piece.withUnsafeBytes { bytes in
                try unsafe parser.consume(bytes) { row in
                    rows.append("\(try row.int64(0)) \(try row.optionalText(1) ?? "NULL")")
                }
            }
        }
        try parser.finish()
        return rows
    }

    private let rows: [[PostgresValue]] = [
        [.int8(1), .text("one")], [.int8(2), .null], [.int8(3), .text("")], [.int8(4), .text("four and more")],
    ]
    private let expected = ["1 one", "2 NULL", "3 ", "4 four and more"]

    @Test func aStreamCutInTwoAnywhereReadsTheSame() throws {
        let bytes = stream(rows)
        for cut in 0...bytes.count { #expect(try parse([bytes[..<cut], bytes[cut...]]) == expected) }
    }

    @Test func aStreamInSmallPiecesReadsTheSame() throws {
        let bytes = stream(rows)
        for size in 1...20 {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(try parse(pieces) == expected)
        }
    }

    @Test func aHeaderExtensionIsSkipped() throws {
        var bytes = stream(rows)
        bytes[18] = 3
        bytes.insert(contentsOf: [9, 9, 9], at: 19)
        #expect(try parse([bytes[...]]) == expected)
    }

    @Test func aStreamThatEndsEarlyIsRefused() throws {
        let bytes = stream(rows)
        for length in 0..<bytes.count { #expect(throws: PostgresError.self) { try parse([bytes[..<length]]) } }
        #expect(throws: PostgresError.self) { try parse([stream(rows, trailer: false)[...]]) }
    }

    @Test func whatIsNotThisFormatIsRefused() throws {
        var magic = stream(rows)
        magic[0] = 0
        #expect(throws: PostgresError.self) { try parse([magic[...]]) }
        var flags = stream(rows)
        flags[12] = 1
        #expect(throws: PostgresError.self) { try parse([flags[...]]) }
        #expect(throws: PostgresError.self) { try parse([(stream(rows) + [0])[...]]) }
        #expect(throws: PostgresError.self) { try parse([(Self.header + [0xff, 0xfe])[...]]) }
        let negativeLength: [UInt8] = Self.header + [0, 1, 0xff, 0xff, 0xff, 0xfe, 0, 0]
        #expect(throws: PostgresError.self) { try parse([negativeLength[...]]) }
    }
}
