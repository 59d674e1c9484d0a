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

    init(_ uuid: UUIDBytes) {
        self.init(high: uuid.high, low: uuid.low)
    }
}
