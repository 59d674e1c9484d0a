import EntitlementDomain

/// An account as the log knows it: the random pseudonym under which events and projections have it, and the key that its
/// signed texts are sealed with. The row that holds both is the only link to the person.
struct AccountName: Sendable, Hashable {
    /// Whose pseudonym it is. The same UUID in another environment has another one.
    var key: AppendPlan.AccountKey
    var pseudonym: AccountID
    /// 32 random bytes.
    var evidenceKey: [UInt8]

    /// A name with a new pseudonym (a random UUID, RFC 9562 section 5.4) and a new key.
    static func random(of key: AppendPlan.AccountKey) -> AccountName {
        var random = SystemRandomNumberGenerator()
        var evidenceKey: [UInt8] = []
        for _ in 0..<4 {
            let word: UInt64 = random.next()
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                evidenceKey.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return AccountName(key: key, pseudonym: randomPseudonym(), evidenceKey: evidenceKey)
    }

    /// A random UUID that no account has.
    static func randomPseudonym() -> AccountID {
        var random = SystemRandomNumberGenerator()
        return AccountID(
            high: random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        )
    }
}
