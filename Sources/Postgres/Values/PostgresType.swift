/// A type of the server by its object id (`pg_type.oid`). The built-in ids never change between servers.
package struct PostgresType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Lets the server find out the type by itself.
    package static let unspecified = PostgresType(0)

    package static let bool = PostgresType(16)
    package static let bytea = PostgresType(17)
    package static let name = PostgresType(19)
    package static let int8 = PostgresType(20)
    package static let int2 = PostgresType(21)
    package static let int4 = PostgresType(23)
    package static let text = PostgresType(25)
    package static let json = PostgresType(114)
    package static let float4 = PostgresType(700)
    package static let float8 = PostgresType(701)
    package static let unknown = PostgresType(705)
    package static let bpchar = PostgresType(1042)
    package static let varchar = PostgresType(1043)
    package static let timestamptz = PostgresType(1184)
    package static let uuid = PostgresType(2950)
    package static let jsonb = PostgresType(3802)

    package static let boolArray = PostgresType(1000)
    package static let byteaArray = PostgresType(1001)
    package static let int2Array = PostgresType(1005)
    package static let int4Array = PostgresType(1007)
    package static let textArray = PostgresType(1009)
    package static let varcharArray = PostgresType(1015)
    package static let int8Array = PostgresType(1016)
    package static let float8Array = PostgresType(1022)
    package static let timestamptzArray = PostgresType(1185)
    package static let uuidArray = PostgresType(2951)
    package static let jsonbArray = PostgresType(3807)
}

extension PostgresType: CustomStringConvertible {
    /// The server's name of the type, or its object id where the type has no name here.
    package var description: String {
        Self.names[self] ?? "type \(rawValue)"
    }

    private static let names: [PostgresType: String] = [
        .unspecified: "unspecified", .bool: "bool", .bytea: "bytea", .name: "name", .int8: "int8", .int2: "int2",
        .int4: "int4", .text: "text", .json: "json", .float4: "float4", .float8: "float8", .unknown: "unknown",
        .bpchar: "bpchar", .varchar: "varchar", .timestamptz: "timestamptz", .uuid: "uuid", .jsonb: "jsonb",
        .boolArray: "bool[]", .byteaArray: "bytea[]", .int2Array: "int2[]", .int4Array: "int4[]",
        .textArray: "text[]", .varcharArray: "varchar[]", .int8Array: "int8[]", .float8Array: "float8[]",
        .timestamptzArray: "timestamptz[]", .uuidArray: "uuid[]", .jsonbArray: "jsonb[]",
    ]
}
