/// The subscription groups of one key at one instant.
package struct SubscriptionAnswer: Sendable, Hashable {
    package var instant: Instant
    /// The groups in which a period has begun by then.
    package var groups: [SubscriptionGroup]
    /// The next instant at which the clock alone may change this answer; nil: never.
    package var nextChangeAt: Instant?
}

extension Account {
    /// Answers for one instant, `answersFrom` or later, how every subscription stands, whether the catalog maps its product or not. Holds do not
    /// count here: they take away access, not the subscription.
    package func subscriptions(at instant: Instant, catalog: Catalog, policy: Policy) -> SubscriptionAnswer {
        assert(instant >= answersFrom, "the heads of these lines do not reach back to \(instant.iso8601)")
        var horizon = ChangeHorizon(after: instant)
        if state.isErased { return SubscriptionAnswer(instant: instant, groups: []) }
        var statuses: [SubscriptionStatus] = []
        var introduced: Set<LineID> = []
        for line in lines {
            if let status = line.subscriptionStatus(catalog: catalog, policy: policy, horizon: &horizon) {
                statuses.append(status)
            }
            for state in line.subscriptionTransactions(catalog: catalog) where state.hasIntroductoryOffer {
                horizon.note(state.startsAt)
                if state.startsAt <= instant { introduced.insert(line.id) }
            }
        }
        return SubscriptionAnswer(
            instant: instant,
            groups: Self.groups(of: statuses, introduced: introduced),
            nextChangeAt: horizon.next
        )
    }

    /// A group belongs to one app; a line whose group nobody names is one by itself.
    private struct GroupKey: Hashable {
        var bundleID: String
        var id: String?
        var line: LineID?
    }

    private static func groups(of statuses: [SubscriptionStatus], introduced: Set<LineID>) -> [SubscriptionGroup] {
        // A line without a signed group belongs to those of the same app that the catalog puts into its group.
        var signed: [GroupKey: String] = [:]
        for status in statuses {
            guard let group = status.catalogGroup, let id = status.signedGroupID else { continue }
            let key = GroupKey(bundleID: status.line.bundleID, id: group)
            signed[key] = min(signed[key] ?? id, id)
        }
        let byKey = Dictionary(grouping: statuses) { status in
            let bundleID = status.line.bundleID
            let id =
                status.signedGroupID
                ?? status.catalogGroup.map { signed[GroupKey(bundleID: bundleID, id: $0)] ?? $0 }
            return GroupKey(bundleID: bundleID, id: id, line: id == nil ? status.line : nil)
        }
        return byKey.map { key, members in
            let sorted = members.sorted { $0.beats($1) }
            return SubscriptionGroup(
                id: key.id,
                catalogGroup: sorted.lazy.compactMap(\.catalogGroup).first,
                isIntroductoryOfferUsed: sorted.contains { introduced.contains($0.line) },
                statuses: sorted
            )
        }.sorted { left, right in
            let (first, second) = (left.statuses[0].line, right.statuses[0].line)
            if first.bundleID != second.bundleID { return first.bundleID < second.bundleID }
            if left.id != right.id { return (left.id ?? "") < (right.id ?? "") }
            return first < second
        }
    }
}
