import EntitlementDomain
import Postgres

/// Spreads keys over buckets: FNV-1a in 64 bits with a final mix. It is stored nowhere but in the files of one run.
struct KeyHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { value = (value ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
        value = (value ^ 0xff) &* 0x0000_0100_0000_01b3
    }

    /// The hash, its high bits mixed into the low ones.
    var mixed: UInt64 {
        let value = (value ^ (value >> 32)) &* 0x9e37_79b9_7f4a_7c15
        return value ^ (value >> 29)
    }

    /// The hash of fields of a row; nil when the first of them is NULL.
    static func of(_ columns: [Int], _ row: PostgresCopyRow) throws -> UInt64? {
        if try row.isNull(columns[0]) { return nil }
        var hash = KeyHash()
        for column in columns {
            try row.withBytes(column) { bytes in
                if let bytes { hash.add(bytes) }
            }
        }
        return hash.mixed
    }

    /// The hash of an account, equal to the one of its column.
    static func of(_ account: AccountID) -> UInt64 {
        var hash = KeyHash()
        let bytes = (0..<16).map { index in
            UInt8(truncatingIfNeeded: (index < 8 ? account.high : account.low) >> UInt64(56 - 8 * (index % 8)))
        }
        hash.add(bytes.span)
        return hash.mixed
    }
}
