package import EntitlementDomain

/// Makes the ids of events, and pseudonyms: version 7 UUIDs (RFC 9562 section 5.7), which begin with the time, so that they
/// sort roughly by it.
package struct EventIDGenerator: Sendable {
    package init() {}

    /// A new id for what is recorded at that time.
    package func make(at instant: Instant) -> AccountID {
        var random = SystemRandomNumberGenerator()
        let time = UInt64(bitPattern: instant.milliseconds) & 0xFFFF_FFFF_FFFF
        let high = time << 16 | 0x7000 | random.next() & 0x0FFF
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return AccountID(high: high, low: low)
    }
}
