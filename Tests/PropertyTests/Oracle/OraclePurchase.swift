import EntitlementDomain

/// One purchase with all its signed versions, oldest signature first.
struct OraclePurchase {
    var versions: [TransactionFacts]

    init(_ versions: [TransactionFacts]) {
        // Of two versions signed at the same millisecond the revoked one counts as the newer.
        self.versions = versions.sorted {
            ($0.signedAt, $0.revokedAt == nil ? 0 : 1) < ($1.signedAt, $1.revokedAt == nil ? 0 : 1)
        }
    }

    var newest: TransactionFacts { versions[versions.count - 1] }
    var purchasedAt: Instant { newest.purchasedAt }

    /// "Access from start (the earlier of purchase and signature)".
    var start: Instant { min(purchasedAt, versions[0].signedAt) }

    /// "A refund or revocation counts from its earliest known revocationDate until a newer signed version of that
    /// transaction comes without one".
    var revokedAt: Instant? {
        var standing: [Instant] = []
        for version in versions {
            if let revokedAt = version.revokedAt { standing.append(revokedAt) } else { standing = [] }
        }
        return standing.min()
    }

    func isRevoked(at instant: Instant) -> Bool {
        revokedAt.map { $0 <= instant } ?? false
    }

    /// When it was first said to be upgraded, as long as the newest version says so.
    var upgradedAt: Instant? {
        newest.isUpgraded ? versions.first { $0.isUpgraded }?.signedAt : nil
    }
}
