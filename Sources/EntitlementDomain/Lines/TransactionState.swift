/// All that is known of one transaction: its signed versions, merged.
///
/// The merge is commutative, associative and idempotent, so the state is a function of the set of versions:
/// no order of arrival and no repetition can change it.
package struct TransactionState: Sendable, Hashable {
    /// The version signed last. A signed transaction counts over whatever receipts tell, and of those the ones that know
    /// the subscription group, and so everything else that a receipt can tell. Of versions signed at the same
    /// millisecond the revoked one counts, then the larger in encoded bytes: some order is needed, and it must not be
    /// the order of arrival.
    package private(set) var newest: TransactionFacts {
        get { version.facts }
        set { version = Version(newValue) }
    }
    /// Behind a reference: states are copied often, and their facts have many parts to count references of.
    private var version: Version
    /// When the first known version was signed.
    package private(set) var firstSignedAt: Instant
    /// When the newest signed transaction without a revocation was signed.
    package private(set) var lastCleanAt: Instant?
    /// The signed transactions with a revocation that were signed after the newest one without. Of two entries the
    /// earlier signed has the earlier revocation date; others could never count again and are not kept.
    package private(set) var revocations: [Revocation]
    /// What receipts tell of revocations; nil: no receipt has told of this transaction.
    package private(set) var receipts: ReceiptRevocations?
    /// When the first version that says "upgraded" was signed.
    package private(set) var upgradedAt: Instant?
    /// The account token of the version signed first among those that carry one.
    package private(set) var token: SignedToken?
    /// Whether an event has told of this transaction (`EventType.announcesTransaction`).
    package private(set) var isAnnounced: Bool
    /// Whether any version names an introductory offer.
    package private(set) var hasIntroductoryOffer: Bool

    /// What the receipts among the versions tell of revocations. A receipt that tells of none lifts what other receipts
    /// told before, and never what a signed transaction states: receipts leave out what they do not know.
    package struct ReceiptRevocations: Sendable, Hashable {
        /// When the newest receipt without a revocation was created.
        package var lastCleanAt: Instant?
        /// The revocations told after it, in the same form as those of signed transactions.
        package var revocations: [Revocation]
    }

    /// The facts of one version.
    private final class Version: Sendable, Hashable {
        let facts: TransactionFacts

        init(_ facts: TransactionFacts) {
            self.facts = facts
        }

        static func == (left: Version, right: Version) -> Bool { left === right || left.facts == right.facts }

        func hash(into hasher: inout Hasher) { hasher.combine(facts) }
    }

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
        self.version = Version(version)
        firstSignedAt = version.signedAt
        let cleanAt = version.revokedAt == nil ? version.signedAt : nil
        let stated = version.revokedAt.map { [Revocation(signedAt: version.signedAt, revokedAt: $0)] } ?? []
        lastCleanAt = version.isFromReceipt ? nil : cleanAt
        revocations = version.isFromReceipt ? [] : stated
        receipts = version.isFromReceipt ? ReceiptRevocations(lastCleanAt: cleanAt, revocations: stated) : nil
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
        receipts: ReceiptRevocations? = nil,
        hasBeenRevoked: Bool,
        upgradedAt: Instant?,
        token: SignedToken?,
        isAnnounced: Bool,
        hasIntroductoryOffer: Bool
    ) {
        version = Version(newest)
        self.firstSignedAt = firstSignedAt
        self.lastCleanAt = lastCleanAt
        self.revocations = revocations
        self.receipts = receipts
        self.hasBeenRevoked = hasBeenRevoked
        self.upgradedAt = upgradedAt
        self.token = token
        self.isAnnounced = isAnnounced
        self.hasIntroductoryOffer = hasIntroductoryOffer
    }

    package var transactionID: String { newest.transactionID }

    /// The earliest known revocation date that no newer version has lifted.
    package var revokedAt: Instant? {
        guard let told = receipts.flatMap({ standing($0).first?.revokedAt }) else {
            return revocations.first?.revokedAt
        }
        return min(told, revocations.first?.revokedAt ?? told)
    }

    /// The revocations told by receipts that no newer signed transaction has lifted.
    private func standing(_ receipts: ReceiptRevocations) -> [Revocation] {
        receipts.revocations.filter { revocation in lastCleanAt.map { revocation.signedAt >= $0 } ?? true }
    }

    /// Whether a version of this transaction lifts the revocation of the other one, which stands for the same purchase:
    /// it was signed later and states none.
    package func lifts(_ other: TransactionState) -> Bool {
        if let signedAt = other.revocations.last?.signedAt {
            guard let lastCleanAt, lastCleanAt > signedAt else { return false }
        }
        if let signedAt = other.receipts.flatMap({ other.standing($0).last?.signedAt }) {
            guard let clean = Self.later(lastCleanAt, receipts?.lastCleanAt), clean > signedAt else { return false }
        }
        return true
    }

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
        if other.version !== version, Self.counts(other.newest, over: newest) { version = other.version }
        firstSignedAt = min(firstSignedAt, other.firstSignedAt)
        lastCleanAt = Self.later(lastCleanAt, other.lastCleanAt)
        revocations = Self.frontier(revocations + other.revocations, after: lastCleanAt)
        receipts = Self.merged(receipts, other.receipts)
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

    private static func merged(_ left: ReceiptRevocations?, _ right: ReceiptRevocations?) -> ReceiptRevocations? {
        guard let left, let right else { return left ?? right }
        let lastCleanAt = later(left.lastCleanAt, right.lastCleanAt)
        return ReceiptRevocations(
            lastCleanAt: lastCleanAt,
            revocations: frontier(left.revocations + right.revocations, after: lastCleanAt)
        )
    }

    private static func counts(_ candidate: TransactionFacts, over known: TransactionFacts) -> Bool {
        if candidate.isFromReceipt != known.isFromReceipt { return known.isFromReceipt }
        if candidate.isFromReceipt, (candidate.subscriptionGroupID == nil) != (known.subscriptionGroupID == nil) {
            return known.subscriptionGroupID == nil
        }
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
