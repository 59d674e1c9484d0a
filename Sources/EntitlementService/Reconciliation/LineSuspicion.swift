package import EntitlementDomain

/// Why the App Store is asked again about a line.
package enum LineSuspicion: String, Sendable, Hashable, CaseIterable {
    /// A period is over that was to renew, and nothing was heard of how it went on.
    case renewalOverdue
    /// A grace period without a date, or tries to charge that must be over.
    case graceWithoutDate
    /// The App Store's own word for the status is another one than what the facts come to.
    case statusDisagrees
    /// Statements of the line name different accounts, and nobody has decided.
    case ownerDisagrees
}

extension LineSuspicion {
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000
    /// A renewal may take a while to be announced.
    private static let patience: Int64 = 60 * minute
    /// The App Store tries to charge for 60 days; after that nothing comes any more.
    private static let retryDays: Int64 = 60
    /// How long after the end of its retries a line is still asked about.
    private static let lastChanceDays: Int64 = 10

    /// What is suspicious about a line; nil: nothing.
    package init?(_ line: LineState, at now: Instant, catalog: Catalog, policy: Policy) {
        let account = Account(lines: [line])
        let answer = account.subscriptions(at: now, catalog: catalog, policy: policy)
        if let status = answer.groups.first?.statuses.first,
            let suspicion = Self.suspicion(of: status, line, at: now, catalog: catalog, policy: policy)
        {
            self = suspicion
        } else if line.link == nil, !line.isErased, Set(line.transactions.compactMap { $0.token?.account }).count > 1 {
            self = .ownerDisagrees
        } else {
            return nil
        }
    }

    private static func suspicion(
        of status: SubscriptionStatus,
        _ line: LineState,
        at now: Instant,
        catalog: Catalog,
        policy: Policy
    ) -> LineSuspicion? {
        let over = now.milliseconds - status.expiresAt.milliseconds
        let isRecent = over < (retryDays + lastChanceDays) * day
        let renewal = status.renewal
        if over > patience, isRecent, status.revokedAt == nil {
            let hasEnded = renewal?.autoRenews == false || renewal?.expirationIntent != nil
            let isRetried = status.state == .inBillingRetryPeriod || status.state == .inGracePeriod
            // Renewal was expected, and neither a new period nor a failure is known.
            if !hasEnded, !isRetried { return .renewalOverdue }
            if let renewal, renewal.saysGracePeriod, renewal.gracePeriodExpiresAt == nil { return .graceWithoutDate }
            if status.state == .inBillingRetryPeriod, over > retryDays * day { return .graceWithoutDate }
        }
        guard isRecent, policy.refundAccess == .immediate,
            let word = line.renewals.last(where: { $0.status != nil }), let number = word.status,
            (1...5).contains(number)
        else { return nil }
        // Compared at the moment of the word, since the clock alone changes the state later.
        let then = Account(lines: [line]).subscriptions(at: word.signedAt, catalog: catalog, policy: policy)
        guard let known = then.groups.first?.statuses.first else { return nil }
        return known.state.isEntitling == (number == 1 || number == 4) ? nil : .statusDisagrees
    }

    /// How long nobody asks about a line again that was asked about so often: an hour, then four times as long each time,
    /// up to a week. An answer that changes nothing leaves a line suspicious.
    package static func pause(afterTries tries: Int) -> Int64 {
        min(60 * minute << min(2 * max(tries - 1, 0), 20), 7 * day)
    }
}
