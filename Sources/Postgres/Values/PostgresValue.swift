/// A value on its way to the server; always sent in the server's binary format.
///
/// An array case is a one-dimensional array whose elements may be null. Arrays are what batch statements are made of:
/// `INSERT … SELECT * FROM unnest($1::text[], $2::int8[])`.
package enum PostgresValue: Sendable, Hashable {
    /// SQL NULL of any type.
    case null
    case bool(Bool)
    case int2(Int16)
    case int4(Int32)
    case int8(Int64)
    case float8(Double)
    /// `text`, and every type the server reads from text in binary format (`varchar`, `name`, `json`, an enum).
    case text(String)
    case bytea([UInt8])
    case uuid(UUIDBytes)
    /// Microseconds since 1970-01-01T00:00:00Z; `Int64.max` is `infinity`, `Int64.min` is `-infinity`.
    case timestamptz(Int64)
    /// JSON text as UTF-8.
    case jsonb([UInt8])

    case boolArray([Bool?])
    case int2Array([Int16?])
    case int4Array([Int32?])
    case int8Array([Int64?])
    case float8Array([Double?])
    case textArray([String?])
    case byteaArray([[UInt8]?])
    case uuidArray([UUIDBytes?])
    /// Microseconds since 1970-01-01T00:00:00Z, as in `timestamptz`.
    case timestamptzArray([Int64?])
    /// JSON texts as UTF-8.
    case jsonbArray([[UInt8]?])
}

extension PostgresValue {
    /// The type it is sent as; `unspecified` for NULL, which fits every type.
    package var type: PostgresType {
        switch self {
        case .null: .unspecified
        case .bool: .bool
        case .int2: .int2
        case .int4: .int4
        case .int8: .int8
        case .float8: .float8
        case .text: .text
        case .bytea: .bytea
        case .uuid: .uuid
        case .timestamptz: .timestamptz
        case .jsonb: .jsonb
        case .boolArray: .boolArray
        case .int2Array: .int2Array
        case .int4Array: .int4Array
        case .int8Array: .int8Array
        case .float8Array: .float8Array
        case .textArray: .textArray
        case .byteaArray: .byteaArray
        case .uuidArray: .uuidArray
        case .timestamptzArray: .timestamptzArray
        case .jsonbArray: .jsonbArray
        }
    }

    /// Whether the server reads this value's binary form where it expects a parameter of `type`.
    func fits(_ type: PostgresType) -> Bool {
        let own = self.type
        if own == type { return true }
        switch self {
        case .null:
            return true
        case .text:
            // Object ids from 16384 belong to types made in this database; an enum reads text, and for any other the
            // server itself refuses what it cannot read.
            return [.varchar, .bpchar, .name, .json, .unknown].contains(type) || type.rawValue >= 16384
        case .textArray:
            return type == .varcharArray || type.rawValue >= 16384
        default:
            return false
        }
    }
}
