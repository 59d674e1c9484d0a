package import EntitlementDomain

/// Where a story takes place and whom it is about.
package struct StorySetting: Sendable {
    package var account: AccountID
    /// The present: the story begins 130 days before, and the account is subscribed at its end.
    package var now: Instant
    /// Everything that is new in a story (ids of transactions and notifications) follows from it.
    package var seed: UInt64
    package var environment = StoreEnvironment.production
    package var bundleID = StatementDefaults.bundleID
    package var appAppleID = StatementDefaults.appAppleID

    package init(account: AccountID, now: Instant, seed: UInt64) {
        self.account = account
        self.now = now
        self.seed = seed
    }

    /// A story of a random account, new each time.
    package static func random(now: Instant) -> StorySetting {
        StorySetting(account: randomAccount(), now: now, seed: .random(in: .min ... .max))
    }

    /// A random account (RFC 9562, version 4).
    package static func randomAccount() -> AccountID {
        AccountID(
            high: .random(in: .min ... .max) & ~0xF000 | 0x4000,
            low: .random(in: .min ... .max) & ~0xC000_0000_0000_0000 | 0x8000_0000_0000_0000
        )
    }
}
