/// All that is known of one transaction: its signed versions, merged.
///
/// The merge is commutative, associative and idempotent, so the state is a function of the set of versions:
/// no order of arrival and no repetition can change it.
package struct TransactionState: Sendable, Hashable {
    /// The version signed last. Of versions signed at the same millisecond the revoked one counts, then the
    /// larger in encoded bytes: some order is needed, and it must not be the order of arrival.
    package private(set) var newest: TransactionFacts
    /// When the first known version was signed.
    package private(set) var firstSignedAt: Instant
    /// When the newest version without a revocation was signed.
    package private(set) var lastCleanAt: Instant?
    /// The versions with a revocation that were signed after the newest one without. Of two entries the earlier
    /// signed has the earlier revocation date; others could never count again and are not kept.
    package private(set) var revocations: [Revocation]
    /// When the first version that says "upgraded" was signed.
    package private(set) var upgradedAt: Instant?
    /// The account token of the version signed first among those that carry one.
    package private(set) var token: SignedToken?
    /// Whether an event has told of this transaction (`EventType.announcesTransaction`).
    package private(set) var isAnnounced: Bool
    /// Whether any version names an introductory offer.
    package private(set) var hasIntroductoryOffer: Bool

    /// A revocation as one version states it.
    package struct Revocation: Sendable, Hashable {
        package var signedAt: Instant
        package var revokedAt: Instant
    }

    /// An account token and when it was signed.
    package struct SignedToken: Sendable, Hashable {
        package var signedAt: Instant
        package var account: AccountID
    }

    /// The state after one version.
    package init(_ version: TransactionFacts, isAnnounced: Bool = false) {
        newest = version
        firstSignedAt = version.signedAt
        lastCleanAt = version.revokedAt == nil ? version.signedAt : nil
        revocations = version.revokedAt.map { [Revocation(signedAt: version.signedAt, revokedAt: $0)] } ?? []
        hasBeenRevoked = version.revokedAt != nil
        upgradedAt = version.isUpgraded ? version.signedAt : nil
        token = version.appAccountToken.map { SignedToken(signedAt: version.signedAt, account: $0) }
        self.isAnnounced = isAnnounced
        hasIntroductoryOffer = version.offer?.type == 1
    }

    init(
        newest: TransactionFacts,
        firstSignedAt: Instant,
        lastCleanAt: Instant?,
        revocations: [Revocation],
        hasBeenRevoked: Bool,
        upgradedAt: Instant?,
        token: SignedToken?,
        isAnnounced: Bool,
        hasIntroductoryOffer: Bool
    ) {
        self.newest = newest
        self.firstSignedAt = firstSignedAt
        self.lastCleanAt = lastCleanAt
        self.revocations = revocations
        self.hasBeenRevoked = hasBeenRevoked
        self.upgradedAt = upgradedAt
        self.token = token
        self.isAnnounced = isAnnounced
        self.hasIntroductoryOffer = hasIntroductoryOffer
    }

    package var transactionID: String { newest.transactionID }

    /// The earliest known revocation date that no newer version has lifted.
    package var revokedAt: Instant? { revocations.first?.revokedAt }

    /// Whether any known version states a revocation, also one that a newer version has lifted.
    package private(set) var hasBeenRevoked: Bool

    /// When access of this transaction begins: the earlier of purchase and signature.
    package var startsAt: Instant { min(newest.purchasedAt, firstSignedAt) }

    /// Adds another version of the same transaction.
    package mutating func merge(_ version: TransactionFacts) {
        merge(TransactionState(version))
    }

    /// Adds what another state knows, of the same transaction or of a twin that stands for the same purchase.
    package mutating func merge(_ other: TransactionState) {
        if Self.counts(other.newest, over: newest) { newest = other.newest }
        firstSignedAt = min(firstSignedAt, other.firstSignedAt)
        lastCleanAt = Self.later(lastCleanAt, other.lastCleanAt)
        revocations = Self.frontier(revocations + other.revocations, after: lastCleanAt)
        hasBeenRevoked = hasBeenRevoked || other.hasBeenRevoked
        if let upgraded = other.upgradedAt { upgradedAt = upgradedAt.map { min($0, upgraded) } ?? upgraded }
        if let candidate = other.token {
            if let known = token {
                if (candidate.signedAt, candidate.account) < (known.signedAt, known.account) { token = candidate }
            } else {
                token = candidate
            }
        }
        isAnnounced = isAnnounced || other.isAnnounced
        hasIntroductoryOffer = hasIntroductoryOffer || other.hasIntroductoryOffer
    }

    private static func counts(_ candidate: TransactionFacts, over known: TransactionFacts) -> Bool {
        if candidate.signedAt != known.signedAt { return candidate.signedAt > known.signedAt }
        if candidate == known { return false }
        if (candidate.revokedAt == nil) != (known.revokedAt == nil) { return candidate.revokedAt != nil }
        var bytes = (ByteEncoder(), ByteEncoder())
        bytes.0.encode(candidate)
        bytes.1.encode(known)
        return bytes.1.bytes.lexicographicallyPrecedes(bytes.0.bytes)
    }

    private static func later(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }

    /// Keeps the revocations that still count, or may count once a version without one turns up between them.
    private static func frontier(_ all: [Revocation], after lastCleanAt: Instant?) -> [Revocation] {
        let standing = all.filter { revocation in lastCleanAt.map { revocation.signedAt >= $0 } ?? true }
            .sorted { ($0.signedAt, $1.revokedAt) > ($1.signedAt, $0.revokedAt) }
        var kept: [Revocation] = []
        for revocation in standing where kept.last.map({ revocation.revokedAt < $0.revokedAt }) ?? true {
            kept.append(revocation)
        }
        return kept.reversed()
    }
}
