import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresCopyTests {
    private struct Stop: Error, Equatable {}

    private func session() async throws -> PostgresSession {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute(
            """
            CREATE TABLE t (id int8 PRIMARY KEY, name text, account uuid, at timestamptz, body jsonb, tags text[],
                ok bool, share float8, raw bytea)
            """
        )
        return session
    }

    private func row(_ number: Int) -> [PostgresValue] {
        [
            .int8(Int64(number)), number % 3 == 0 ? .null : .text("name \(number)"),
            .uuid(UUIDBytes(high: 1, low: UInt64(number))), .timestamptz(Int64(number) * 1_000_000),
            .jsonb(Array("{\"n\": \(number)}".utf8)), .textArray(["a", nil, "\(number)"]), .bool(number % 2 == 0),
            .float8(Double(number) / 4), .bytea([UInt8](repeating: 9, count: number % 50)),
        ]
    }

    private let copyIn = "COPY t FROM STDIN WITH (FORMAT binary)"
    private let copyOut = "COPY (SELECT * FROM t ORDER BY id) TO STDOUT WITH (FORMAT binary)"

    @Test func rowsGoInAndComeOut() async throws {
        let session = try await session()
        let count = 20_000
        let taken = try session.copyIn(copyIn) { writer in
            for number in 0..<count { try writer.writeRow(row(number)) }
            #expect(writer.rowCount == count)
        }
        #expect(taken == count)
        var number = 0
        let read = try session.copyOutRows(copyOut) { row in
            defer { number += 1 }
            let same =
                try row.int64(0) == Int64(number)
                && row.optionalText(1) == (number % 3 == 0 ? nil : "name \(number)")
                && row.uuid(2) == UUIDBytes(high: 1, low: UInt64(number))
                && row.timestamp(3) == Int64(number) * 1_000_000
                && row.json(4) == Array("{\"n\": \(number)}".utf8)
                && row.textArray(5) == ["a", nil, "\(number)"]
                && row.bool(6) == (number % 2 == 0)
                && row.double(7) == Double(number) / 4
                && row.bytes(8).count == number % 50
            if !same { Issue.record("row \(number) differs") }
        }
        #expect(read == count)
        // The server reads what was written as the same.
        let sum = try session.query("SELECT sum((body->>'n')::int8)::int8 FROM t WHERE tags[3] = id::text")
        #expect(try sum.int64(0, 0) == Int64(count * (count - 1) / 2))
    }

    @Test func rowsEncodedBeforehandGoIn() async throws {
        let session = try await session()
        let number: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7]
        let null: [UInt8] = [0xff, 0xff, 0xff, 0xff]
        let command = "COPY t (id, name, account) FROM STDIN WITH (FORMAT binary)"
        let taken = try session.copyIn(command) { writer in
            try writer.writeEncodedRow(fieldCount: 3, number, [0, 0, 0, 2, 0x68, 0x69], null)
        }
        #expect(taken == 1)
        let result = try session.query("SELECT id, name, account FROM t")
        #expect(try result.int64(0, 0) == 7)
        #expect(try result.text(0, 1) == "hi")
        #expect(try result.isNull(0, 2))
    }

    @Test func anEmptyTableHasNoRows() async throws {
        let session = try await session()
        #expect(try session.copyIn(copyIn) { _ in } == 0)
        #expect(try session.copyOutRows(copyOut) { _ in } == 0)
    }

    @Test func chunksOfAnyFormatAreLent() async throws {
        let session = try await session()
        var text = ""
        try session.copyOut("COPY (SELECT generate_series(1, 3)) TO STDOUT") { chunk in
            for index in chunk.indices { text.unicodeScalars.append(Unicode.Scalar(chunk[index])) }
        }
        #expect(text == "1\n2\n3\n")
    }

    @Test func aBodyThatStopsLeavesNothingBehind() async throws {
        let session = try await session()
        #expect(throws: Stop()) {
            try session.copyIn(copyIn) { writer in
                for number in 0..<10_000 { try writer.writeRow(row(number)) }
                throw Stop()
            }
        }
        #expect(try session.query("SELECT count(*) FROM t").int64(0, 0) == 0)
    }

    /// The body runs before it is known whether the server takes rows at all.
    @Test func aBodyThatStopsOrGoesOnWithoutTheServer() async throws {
        let session = try await session()
        #expect(throws: Stop()) { try session.copyIn(copyIn) { _ in throw Stop() } }
        #expect(throws: Stop()) { try session.copyIn("COPY nobody FROM STDIN") { _ in throw Stop() } }
        let refused = postgresError {
            try session.copyIn("COPY nobody FROM STDIN") { writer in
                try writer.writeRow(row(1))
                for _ in 0..<2 { #expect(postgresError { try writer.send() }?.sqlState == .undefinedTable) }
            }
        }
        #expect(refused?.sqlState == .undefinedTable)
        #expect(try session.query("SELECT count(*) FROM t").int64(0, 0) == 0)
    }

    @Test(.timeLimit(.minutes(3))) func aReaderThatStopsEndsTheCopySoon() async throws {
        let session = try await session()
        var count = 0
        #expect(throws: Stop()) {
            // Takes minutes when read to its end.
            try session.copyOutRows(
                "COPY (SELECT generate_series(1::int8, 100000000000)) TO STDOUT WITH (FORMAT binary)"
            ) { _ in
                count += 1
                if count == 1000 { throw Stop() }
            }
        }
        #expect(count == 1000)
        #expect(try session.query("SELECT 1::int4").int32(0, 0) == 1)
    }

    @Test func theServersObjectionComesOutTyped() async throws {
        let session = try await session()
        let twice = postgresError {
            try session.copyIn(copyIn) { writer in
                for number in [1, 2, 1] { try writer.writeRow(row(number)) }
            }
        }
        #expect(twice?.sqlState == .uniqueViolation)
        #expect(twice?.constraint == "t_pkey")
        let short = postgresError { try session.copyIn(copyIn) { try $0.writeRow([.int8(1)]) } }
        #expect(short?.sqlState == .badCopyFileFormat)
        #expect(postgresError { try session.copyIn("COPY nobody FROM STDIN") { _ in } }?.sqlState == .undefinedTable)
        #expect(try session.query("SELECT count(*) FROM t").int64(0, 0) == 0)
    }

    @Test func whatIsNoCopyIsRefusedAndTheSessionGoesOn() async throws {
        let session = try await session()
        #expect(postgresError { try session.copyIn("SELECT 1") { _ in } }?.kind == .protocol)
        #expect(postgresError { try session.copyIn(copyOut) { _ in } }?.kind == .protocol)
        #expect(postgresError { try session.copyOut(copyIn) { _ in } }?.kind == .protocol)
        #expect(postgresError { try session.copyOutRows("COPY t TO STDOUT") { _ in } } != nil)
        #expect(try session.query("SELECT 1::int4").int32(0, 0) == 1)
    }

    @Test func aRowIsEmptyOnceItsClosureIsOver() async throws {
        let session = try await session()
        var kept: PostgresCopyRow?
        try session.copyIn(copyIn) { try $0.writeRow(row(1)) }
        try session.copyOutRows(copyOut) { row in
            #expect(row.count == 9)
            #expect(postgresError { _ = try row.int64(9) }?.kind == .decoding)
            #expect(postgresError { _ = try row.int64(2) }?.kind == .decoding)
            kept = row
        }
        #expect(kept?.count == 0)
        #expect(postgresError { _ = try kept?.int64(0) }?.kind == .decoding)
    }
}
