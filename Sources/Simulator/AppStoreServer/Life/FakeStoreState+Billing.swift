import AppStore
import EntitlementDomain
import JSON

/// How subscriptions renew, fail and end.
extension FakeStoreState {
    private static let day: Int64 = 86_400_000
    /// How long the App Store tries to charge.
    private static let retryDays: Int64 = 60

    /// What happens to a line when its time has come.
    mutating func step(_ lineID: String, in environment: StoreEnvironment) throws(FakeStoreError) {
        guard let line = self[environment].lines[lineID] else { return }
        switch line.phase {
        case .active:
            if !line.autoRenews {
                try end(line, intent: 1, "VOLUNTARY", in: environment)
            } else if line.isCardDeclined {
                try fail(line, in: environment)
            } else {
                try renew(line, from: line.expiresAt, nil, in: environment)
            }
        case .gracePeriod:
            var line = line
            line.phase = .billingRetry(until: line.expiresAt.advanced(byMilliseconds: Self.retryDays * Self.day))
            schedule(&line, in: environment)
            try announce("GRACE_PERIOD_EXPIRED", nil, transaction: line.currentID, in: environment)
        case .billingRetry: try end(line, intent: 2, "BILLING_RETRY", in: environment)
        case .expired, .revoked: break
        }
    }

    /// Declines or accepts the card of a line's customer. A line whose charge is being retried is charged at once.
    mutating func setCard(declined: Bool, of lineID: String, in environment: StoreEnvironment) throws(FakeStoreError) {
        var line = try existing(lineID, in: environment)
        line.isCardDeclined = declined
        self[environment].lines[lineID] = line
        guard !declined else { return }
        switch line.phase {
        // Within the grace period the anniversary stays; after it, it is the day of the charge.
        case .gracePeriod: try renew(line, from: line.expiresAt, "BILLING_RECOVERY", in: environment)
        case .billingRetry: try renew(line, from: now, "BILLING_RECOVERY", in: environment)
        default: break
        }
    }

    /// Turns renewal on or off.
    mutating func setAutoRenew(_ isOn: Bool, of lineID: String, in environment: StoreEnvironment) throws(FakeStoreError)
    {
        var line = try existing(lineID, in: environment)
        line.autoRenews = isOn
        self[environment].lines[lineID] = line
        try announce(
            "DID_CHANGE_RENEWAL_STATUS",
            isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED",
            transaction: line.currentID,
            in: environment
        )
    }

    /// Moves to another product of the group at the next renewal.
    mutating func downgrade(_ lineID: String, to product: FakeProduct, in environment: StoreEnvironment)
        throws(FakeStoreError)
    {
        var line = try existing(lineID, in: environment)
        line.nextProduct = product
        self[environment].lines[lineID] = line
        try announce("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", transaction: line.currentID, in: environment)
    }

    /// Moves to another product of the group at once.
    mutating func upgrade(_ lineID: String, to product: FakeProduct, in environment: StoreEnvironment)
        throws(FakeStoreError)
    {
        var line = try existing(lineID, in: environment)
        try change(line.currentID, in: environment) { $0["isUpgraded"] = true }
        line.product = product
        line.nextProduct = product
        try extend(&line, with: "PURCHASE", from: now, in: environment)
        try announce("DID_CHANGE_RENEWAL_PREF", "UPGRADE", transaction: line.currentID, in: environment)
    }

    /// Subscribes again after the end.
    mutating func resubscribe(_ lineID: String, in environment: StoreEnvironment) throws(FakeStoreError) {
        var line = try existing(lineID, in: environment)
        line.autoRenews = true
        line.isCardDeclined = false
        try extend(&line, with: "PURCHASE", from: now, in: environment)
        try announce("SUBSCRIBED", "RESUBSCRIBE", transaction: line.currentID, in: environment)
    }

    /// Makes the current period longer (App Store Server API, Extend a Subscription Renewal Date).
    mutating func extend(_ lineID: String, days: Int64, in environment: StoreEnvironment) throws(FakeStoreError)
        -> Instant
    {
        guard var line = self[environment].lines[lineID] else { throw .refused(.originalTransactionIDNotFound) }
        guard self[environment].transactions[line.currentID]?.isFamilyShared != true else {
            throw .refused(.familySharedExtensionIneligible)
        }
        guard case .active = line.phase, line.expiresAt > now else { throw .refused(.subscriptionExtensionIneligible) }
        let year = now.advanced(byMilliseconds: -365 * Self.day)
        guard line.extensions.count(where: { $0 > year }) < 2 else { throw .refused(.subscriptionMaximumExtensions) }
        line.extensions.append(now)
        line.expiresAt = line.expiresAt.advanced(byMilliseconds: days * Self.day)
        let end = line.expiresAt
        try change(line.currentID, in: environment) { $0["expiresDate"] = JSONValue(end.milliseconds) }
        schedule(&line, in: environment)
        try announce("RENEWAL_EXTENDED", nil, transaction: line.currentID, in: environment)
        return end
    }

    // MARK: Steps

    func existing(_ lineID: String, in environment: StoreEnvironment) throws(FakeStoreError) -> FakeLine {
        guard let line = self[environment].lines[lineID] else {
            throw .unknown("there is no subscription \(lineID) in \(environment.rawValue)")
        }
        return line
    }

    private mutating func renew(
        _ line: FakeLine,
        from start: Instant,
        _ subtype: String?,
        in environment: StoreEnvironment
    )
        throws(FakeStoreError)
    {
        var line = line
        line.product = line.nextProduct
        try extend(&line, with: "RENEWAL", from: start, in: environment)
        try announce("DID_RENEW", subtype, transaction: line.currentID, in: environment)
    }

    /// Adds a period.
    private mutating func extend(
        _ line: inout FakeLine,
        with reason: String,
        from start: Instant,
        in environment: StoreEnvironment
    ) throws(FakeStoreError) {
        let id = nextID(environment)
        let end = add(
            id,
            original: line.id,
            line.product,
            customer: line.customer,
            from: start,
            reason: reason,
            in: environment
        )
        line.currentID = id
        line.expiresAt = end ?? start
        line.phase = .active
        schedule(&line, in: environment)
    }

    private mutating func fail(_ line: FakeLine, in environment: StoreEnvironment) throws(FakeStoreError) {
        var line = line
        if let graceDays {
            line.phase = .gracePeriod(until: line.expiresAt.advanced(byMilliseconds: graceDays * Self.day))
        } else {
            line.phase = .billingRetry(until: line.expiresAt.advanced(byMilliseconds: Self.retryDays * Self.day))
        }
        schedule(&line, in: environment)
        try announce(
            "DID_FAIL_TO_RENEW",
            graceDays == nil ? nil : "GRACE_PERIOD",
            transaction: line.currentID,
            in: environment
        )
    }

    private mutating func end(_ line: FakeLine, intent: Int64, _ subtype: String, in environment: StoreEnvironment)
        throws(FakeStoreError)
    {
        var line = line
        line.phase = .expired(intent: intent)
        line.autoRenews = false
        schedule(&line, in: environment)
        try announce("EXPIRED", subtype, transaction: line.currentID, in: environment)
    }

    /// Writes a line down, and when it has its turn next.
    private mutating func schedule(_ line: inout FakeLine, in environment: StoreEnvironment) {
        line.nextStepAt =
            switch line.phase {
            case .active: line.expiresAt
            case .gracePeriod(let until), .billingRetry(let until): until
            case .expired, .revoked: nil
            }
        self[environment].lines[line.id] = line
        if let at = line.nextStepAt { agenda.add(.billing(environment, line: line.id), at: at) }
    }
}
