import EntitlementDomain
import Postgres

/// Encodes fields in the form of a binary COPY: to be kept beside rows that came from the database, or to be hashed and
/// sent there.
struct KeptRow {
    private var bytes: [UInt8] = []

    /// Fields without their count.
    init() {}

    init(fieldCount: Int16) {
        bytes.reserveCapacity(64)
        append(raw: fieldCount)
    }

    var rows: EncodedRows { EncodedRows(bytes) }

    mutating func append(_ value: AccountID) {
        append(raw: Int32(16))
        append(raw: value.high)
        append(raw: value.low)
    }

    mutating func append(_ value: Int64) {
        append(raw: Int32(8))
        append(raw: value)
    }

    mutating func append(_ value: String) {
        append(raw: Int32(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func append(_ value: [UInt8]) {
        append(raw: Int32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func append(_ value: ArraySlice<UInt8>) {
        append(raw: Int32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func append(_ value: Int32) {
        append(raw: Int32(4))
        append(raw: value)
    }

    mutating func append(_ value: Bool) {
        append(raw: Int32(1))
        bytes.append(value ? 1 : 0)
    }

    mutating func appendNull() {
        append(raw: Int32(-1))
    }

    /// `timestamptz`, from microseconds since 1970; `Int64.max` and `Int64.min` are the infinities.
    mutating func append(timestamp value: Int64) {
        let isInfinite = value == .max || value == .min
        append(isInfinite ? value : value &- 946_684_800_000_000)
    }

    /// `jsonb`, from its text.
    mutating func append(json value: ArraySlice<UInt8>) {
        append(raw: Int32(value.count + 1))
        bytes.append(1)
        bytes.append(contentsOf: value)
    }

    /// `bytea[]`, one dimension, no nulls.
    mutating func append(list values: [[UInt8]]) {
        let byteaOID: Int32 = 17
        let header: Int32 = values.isEmpty ? 12 : 20
        append(raw: header + values.reduce(0) { $0 + 4 + Int32($1.count) })
        append(raw: Int32(values.isEmpty ? 0 : 1))
        append(raw: Int32(0))
        append(raw: byteaOID)
        if !values.isEmpty {
            append(raw: Int32(values.count))
            append(raw: Int32(1))
        }
        for value in values { append(value) }
    }

    private mutating func append<Value: FixedWidthInteger>(raw value: Value) {
        for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }
}
