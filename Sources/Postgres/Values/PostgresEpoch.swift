/// PostgreSQL counts timestamps in microseconds from 2000-01-01T00:00:00Z; this side counts from 1970.
enum PostgresEpoch {
    /// Microseconds from 1970-01-01 to 2000-01-01: 10,957 days.
    static let offsetMicroseconds: Int64 = 10_957 * 86_400 * 1_000_000

    /// From microseconds since 1970 to the wire. `Int64.max` and `Int64.min` stand for the server's `infinity` and
    /// `-infinity`. A time too early for the wire is clamped to one that the server itself refuses as out of range.
    static func toWire(_ unixMicroseconds: Int64) -> Int64 {
        if unixMicroseconds == .max || unixMicroseconds == .min { return unixMicroseconds }
        let (value, overflow) = unixMicroseconds.subtractingReportingOverflow(offsetMicroseconds)
        return overflow ? .min + 1 : value
    }

    /// From the wire to microseconds since 1970, or nil for the last 30 of the server's 294,276 years, which do not
    /// fit.
    static func fromWire(_ value: Int64) -> Int64? {
        if value == .max || value == .min { return value }
        let (result, overflow) = value.addingReportingOverflow(offsetMicroseconds)
        return overflow ? nil : result
    }
}
