import EntitlementDomain

/// What the clock alone does to an account over a span of time.
struct ClockLook: Hashable {
    /// The first instant at which the answer changed; nil: it did not.
    var changedAt: Instant?
    /// The next instant after the span at which it may change; nil: never.
    var dueAt: Instant?

    /// How many instants are looked at one by one; an account with more of them in one span counts as changed.
    private static let maximumSteps = 64

    /// The first instant that a look at an account that is due asks about.
    static func start(_ entry: FeedEntry) -> Instant {
        (entry.dueAt ?? .distantFuture).advanced(byMilliseconds: -1)
    }

    /// Looks from one instant to another, both included.
    ///
    /// Not every instant that `Answer.nextChangeAt` names changes the answer. Each one of the span is compared with the answer
    /// before it, rather than the two ends with each other: what has come and gone may have been read meanwhile.
    init(_ account: Account, catalog: Catalog, policy: Policy, from start: Instant, to end: Instant) {
        func answer(_ instant: Instant) -> Answer { account.answer(at: instant, catalog: catalog, policy: policy) }
        dueAt = answer(max(start, end)).nextChangeAt
        var before = answer(start.advanced(byMilliseconds: -1))
        var next: Instant? = start
        var steps = 0
        while let instant = next, instant <= end {
            let after = answer(instant)
            steps += 1
            if !after.saysTheSame(as: before) || steps == Self.maximumSteps {
                changedAt = instant
                return
            }
            before = after
            next = after.nextChangeAt
        }
    }
}

extension Answer {
    /// Whether it is the same answer, whatever the instant.
    func saysTheSame(as other: Answer) -> Bool {
        entitlements == other.entitlements && balances == other.balances
    }
}
