import EntitlementDomain

/// An account as the log knows it: the pseudonym under which events and projections have it, and the key that its signed
/// texts are sealed with. The row that holds both is the only link to the person.
struct AccountName: Sendable, Hashable {
    /// Whose pseudonym it is. The same UUID in another environment has another one.
    var key: AppendPlan.AccountKey
    var pseudonym: AccountID
    /// 32 random bytes.
    var evidenceKey: [UInt8]

    /// A name with a new pseudonym and a new key.
    static func random(
        of key: AppendPlan.AccountKey,
        at instant: Instant,
        using random: inout some RandomNumberGenerator
    ) -> AccountName {
        AccountName(
            key: key,
            pseudonym: TimeOrderedID.make(at: instant, using: &random),
            evidenceKey: randomKey(using: &random)
        )
    }

    /// A pseudonym that no account has: a version 7 UUID, random behind the time, which the log tells anyway. So accounts
    /// that come lie side by side in every index, and the pages for them are in memory.
    static func randomPseudonym(at instant: Instant) -> AccountID { TimeOrderedID.make(at: instant) }

    /// A new `evidenceKey`.
    static func randomKey() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return randomKey(using: &random)
    }

    private static func randomKey(using random: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for _ in 0..<4 {
            let word: UInt64 = random.next()
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }
}
