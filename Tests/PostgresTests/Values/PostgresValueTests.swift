import Postgres
import PostgresTesting
import TestKit
import Testing

@Suite struct PostgresValueTests {
    /// A value, its type in SQL, and the server's own text for it.
    struct Sample: Sendable, CustomTestStringConvertible {
        var value: PostgresValue
        var type: String
        var text: String?
        var testDescription: String { "\(type) \(text ?? "NULL")" }
    }

    static let uuid = UUIDBytes(high: 0x6ba7_b810_9dad_11d1, low: 0x80b4_00c0_4fd4_30c8)

    static let samples: [Sample] = [
        Sample(value: .bool(true), type: "bool", text: "true"),
        Sample(value: .bool(false), type: "bool", text: "false"),
        Sample(value: .int2(.min), type: "int2", text: "-32768"),
        Sample(value: .int4(.min), type: "int4", text: "-2147483648"),
        Sample(value: .int4(.max), type: "int4", text: "2147483647"),
        Sample(value: .int8(.min), type: "int8", text: "-9223372036854775808"),
        Sample(value: .int8(.max), type: "int8", text: "9223372036854775807"),
        Sample(value: .float8(0.1), type: "float8", text: "0.1"),
        Sample(value: .float8(-0.0), type: "float8", text: "-0"),
        Sample(value: .float8(.infinity), type: "float8", text: "Infinity"),
        Sample(value: .float8(.nan), type: "float8", text: "NaN"),
        Sample(value: .text(""), type: "text", text: ""),
        Sample(value: .text("né ☃ 👩‍👧 \u{10ffff}"), type: "text", text: "né ☃ 👩‍👧 \u{10ffff}"),
        Sample(value: .text("one"), type: "varchar", text: "one"),
        Sample(value: .text("{\"a\":1}"), type: "json", text: "{\"a\":1}"),
        Sample(value: .bytea([]), type: "bytea", text: "\\x"),
        Sample(value: .bytea([0, 1, 0xff, 0x5c, 0x27]), type: "bytea", text: "\\x0001ff5c27"),
        Sample(value: .uuid(uuid), type: "uuid", text: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
        Sample(value: .timestamptz(0), type: "timestamptz", text: "1970-01-01 00:00:00+00"),
        Sample(value: .timestamptz(-1), type: "timestamptz", text: "1969-12-31 23:59:59.999999+00"),
        Sample(value: .timestamptz(1_775_001_600_000_000), type: "timestamptz", text: "2026-04-01 00:00:00+00"),
        Sample(value: .timestamptz(.max), type: "timestamptz", text: "infinity"),
        Sample(value: .timestamptz(.min), type: "timestamptz", text: "-infinity"),
        Sample(value: .jsonb(Array("{\"b\": [1, null]}".utf8)), type: "jsonb", text: "{\"b\": [1, null]}"),
        Sample(value: .null, type: "int8", text: nil),
        Sample(value: .boolArray([true, nil, false]), type: "bool[]", text: "{t,NULL,f}"),
        Sample(value: .int2Array([.min, nil, .max]), type: "int2[]", text: "{-32768,NULL,32767}"),
        Sample(value: .int4Array([1, nil]), type: "int4[]", text: "{1,NULL}"),
        Sample(value: .int8Array([.max]), type: "int8[]", text: "{9223372036854775807}"),
        Sample(value: .float8Array([1.5, nil, -.infinity]), type: "float8[]", text: "{1.5,NULL,-Infinity}"),
        Sample(value: .textArray(["", nil, "a,b", "NULL"]), type: "text[]", text: "{\"\",NULL,\"a,b\",\"NULL\"}"),
        Sample(value: .byteaArray([[], nil, [255]]), type: "bytea[]", text: "{\"\\\\x\",NULL,\"\\\\xff\"}"),
        Sample(value: .uuidArray([uuid, nil]), type: "uuid[]", text: "{6ba7b810-9dad-11d1-80b4-00c04fd430c8,NULL}"),
        Sample(value: .timestamptzArray([0, nil]), type: "timestamptz[]", text: "{\"1970-01-01 00:00:00+00\",NULL}"),
        Sample(value: .jsonbArray([Array("{}".utf8), nil]), type: "jsonb[]", text: "{\"{}\",NULL}"),
        Sample(value: .textArray([]), type: "text[]", text: "{}"),
        Sample(value: .int8Array([]), type: "int8[]", text: "{}"),
    ]

    @Test func comesBackAsItWasSentAndReadsOnTheServerAsItShould() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute("SET TimeZone = 'UTC'")
        for sample in Self.samples {
            let statement = PreparedStatement("SELECT $1::\(sample.type), $1::\(sample.type)::text")
            let result = try session.query(statement, [sample.value])
            #expect(try result.optionalText(0, 1) == sample.text, "\(sample.testDescription)")
            let back = try read(result, like: sample.value)
            #expect(Self.isSame(back, sample.value), "\(sample.testDescription): \(back)")
            // The same without a prepared statement, whose types follow from the values.
            let once = try session.query("SELECT $1::\(sample.type)::text", [sample.value])
            #expect(try once.optionalText(0, 0) == sample.text, "\(sample.testDescription)")
        }
    }

    @Test func randomArraysComeBackAsTheyWereSent() async throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfThisRun("PostgresValueTests"))
        let session = try await TestDatabase.create().ownerSession()
        let statement = PreparedStatement(
            "SELECT $1::int8[], $2::text[], $3::bytea[], $4::uuid[], $5::timestamptz[], $6::float8[], $7::int4[]"
        )
        for _ in 0..<60 {
            let count = Int.random(in: 0...(Bool.random(using: &generator) ? 3 : 2000), using: &generator)
            func array<Element>(_ make: (inout SeededGenerator) -> Element) -> [Element?] {
                (0..<count).map { _ in Int.random(in: 0..<5, using: &generator) == 0 ? nil : make(&generator) }
            }
            let values: [PostgresValue] = [
                .int8Array(array { Int64(bitPattern: $0.next()) }),
                .textArray(array { Self.text(&$0) }),
                .byteaArray(array { Array(Self.text(&$0).utf8) }),
                .uuidArray(array { UUIDBytes(high: $0.next(), low: $0.next()) }),
                .timestamptzArray(
                    array { Int64.random(in: -60_000_000_000_000_000...9_000_000_000_000_000_000, using: &$0) }
                ),
                .float8Array(array { Double.random(in: -1e300...1e300, using: &$0) }),
                .int4Array(array { Int32(truncatingIfNeeded: $0.next()) }),
            ]
            let result = try session.query(statement, values)
            for (column, value) in values.enumerated() {
                #expect(try read(result, column, like: value) == value)
            }
        }
    }

    @Test func aTimeTheServerCannotHoldIsRefusedByItNotChanged() async throws {
        let session = try await TestDatabase.create().ownerSession()
        let error = postgresError { try session.query("SELECT $1::timestamptz", [.timestamptz(.min + 1)]) }
        #expect(error?.sqlState == .datetimeOutOfRange)
        // The last years of the server's calendar do not fit into microseconds since 1970.
        let late = try session.query("SELECT '294276-12-31 23:59:59.999999+00'::timestamptz")
        #expect(postgresError { _ = try late.timestamp(0, 0) }?.kind == .decoding)
    }

    @Test func aLargeValueAndManyParametersPass() async throws {
        let session = try await TestDatabase.create().ownerSession()
        let large = [UInt8](repeating: 7, count: 20 << 20)
        #expect(try session.query("SELECT length($1)", [.bytea(large)]).int32(0, 0) == 20 << 20)
        let many = (1...30_000).map { PostgresValue.int8(Int64($0)) }
        let sum = (1...30_000).map { "$\($0)" }.joined(separator: "),(")
        let result = try session.query("SELECT sum(v)::int8 FROM (VALUES (\(sum))) AS t(v)", many)
        #expect(try result.int64(0, 0) == 450_015_000)
        let tooMany = [PostgresValue](repeating: .int8(1), count: 65_536)
        #expect(postgresError { try session.query("SELECT 1", tooMany) }?.kind == .protocol)
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let length = Int.random(in: 0...40, using: &generator)
        let scalars = (0..<length).map { _ in
            Unicode.Scalar(UInt32.random(in: 1...0xd7ff, using: &generator)) ?? "x"
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func isSame(_ left: PostgresValue, _ right: PostgresValue) -> Bool {
        if case (.float8(let left), .float8(let right)) = (left, right) {
            return left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
        }
        return left == right
    }

    private func read(_ result: PostgresResult, _ column: Int = 0, like value: PostgresValue) throws -> PostgresValue {
        switch value {
        case .null: try result.isNull(0, column) ? .null : value
        case .bool: .bool(try result.bool(0, column))
        case .int2: .int2(try result.int16(0, column))
        case .int4: .int4(try result.int32(0, column))
        case .int8: .int8(try result.int64(0, column))
        case .float8: .float8(try result.double(0, column))
        case .text: .text(try result.text(0, column))
        case .bytea: .bytea(try result.bytes(0, column))
        case .uuid: .uuid(try result.uuid(0, column))
        case .timestamptz: .timestamptz(try result.timestamp(0, column))
        case .jsonb: .jsonb(try result.json(0, column))
        case .boolArray: .boolArray(try result.boolArray(0, column))
        case .int2Array: .int2Array(try result.int16Array(0, column))
        case .int4Array: .int4Array(try result.int32Array(0, column))
        case .int8Array: .int8Array(try result.int64Array(0, column))
        case .float8Array: .float8Array(try result.doubleArray(0, column))
        case .textArray: .textArray(try result.textArray(0, column))
        case .byteaArray: .byteaArray(try result.bytesArray(0, column))
        case .uuidArray: .uuidArray(try result.uuidArray(0, column))
        case .timestamptzArray: .timestamptzArray(try result.timestampArray(0, column))
        case .jsonbArray: .jsonbArray(try result.jsonArray(0, column))
        }
    }
}
