package import EntitlementDomain

/// The ids of events, and pseudonyms: version 7 UUIDs (RFC 9562 section 5.7), which begin with the time, so that they sort
/// roughly by it.
package enum TimeOrderedID {
    /// A new id for what is recorded at that time.
    package static func make(at instant: Instant) -> AccountID {
        var random = SystemRandomNumberGenerator()
        return make(at: instant, using: &random)
    }

    /// The same from another source of what is random in it.
    static func make(at instant: Instant, using random: inout some RandomNumberGenerator) -> AccountID {
        let time = UInt64(bitPattern: instant.milliseconds) & 0xFFFF_FFFF_FFFF
        let high = time << 16 | 0x7000 | random.next() & 0x0FFF
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return AccountID(high: high, low: low)
    }
}
