/// A statement that a session prepares once, on its first use, and runs from then on by name.
///
/// Declare statements as static constants. The name defaults to a digest of the text and the types, so two different
/// statements never share one.
package struct PreparedStatement: Sendable, Hashable {
    /// The name on the server, unique per session.
    package let name: String
    /// One SQL command with `$1`, `$2` … for its parameters.
    package let sql: String
    /// The types of the first parameters; the server finds out the others. Give them where the text leaves them open.
    package let parameterTypes: [PostgresType]

    package init(_ sql: String, name: String? = nil, parameterTypes: [PostgresType] = []) {
        self.sql = sql
        self.parameterTypes = parameterTypes
        self.name = name ?? Self.digest(sql, parameterTypes)
    }

    /// FNV-1a in 64 bits: no security rests on it, and a session compares the text of equal names anyway.
    private static func digest(_ sql: String, _ types: [PostgresType]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ byte: UInt8) {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        for byte in sql.utf8 { mix(byte) }
        for type in types {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                mix(UInt8(truncatingIfNeeded: type.rawValue >> shift))
            }
        }
        return "s" + String(hash, radix: 16)
    }
}
