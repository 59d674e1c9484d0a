/// The company's choices where the App Store leaves one. A change of policy changes answers, never events.
package struct Policy: Sendable, Hashable {
    /// Who keeps a line of purchases that two accounts claim.
    package enum OwnershipRule: String, Sendable, Hashable, CaseIterable {
        /// The owner keeps it; the claim of another account is refused.
        case keepWithOwner
        /// The newest claim takes it over.
        case transferToNewest
    }

    /// Whether a refund may take a balance below zero.
    package enum NegativeBalance: String, Sendable, Hashable, CaseIterable {
        case allow
        case floorAtZero
    }

    package var ownership: OwnershipRule = .keepWithOwner
    package var refundAccess: RefundAccess = .immediate
    /// How long access goes on past a period's end while a renewal is expected.
    package var renewalLeeway: CalendarDuration = .zero
    /// The grace period, counted from the period's end, when the App Store says "grace period" and gives no date.
    package var graceWithoutDate: CalendarDuration = .oneDay
    package var negativeBalance: NegativeBalance = .allow
    /// Whether transactions of StoreKit Testing in Xcode are accepted, under their own environment.
    package var acceptXcode = false
    /// The environments whose statements have an effect.
    package var environments: Set<StoreEnvironment> = [.production, .sandbox]

    package init() {}

    /// Whether statements of this environment have an effect.
    package func accepts(_ environment: StoreEnvironment) -> Bool {
        environment == .xcode ? acceptXcode : environments.contains(environment)
    }
}
