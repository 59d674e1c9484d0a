import EntitlementDomain
import Postgres

extension Instant {
    /// Microseconds since 1970, as `timestamptz` values are given.
    var microseconds: Int64 { milliseconds * 1_000 }

    /// From microseconds since 1970, cut to milliseconds.
    init(microseconds: Int64) {
        self.init(milliseconds: microseconds >= 0 ? microseconds / 1_000 : (microseconds - 999) / 1_000)
    }
}

extension AccountID {
    var uuid: UUIDBytes { UUIDBytes(high: high, low: low) }

    /// The sixteen bytes, as `uuid_send` writes them.
    var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
    }

    init(_ uuid: UUIDBytes) {
        self.init(high: uuid.high, low: uuid.low)
    }
}
