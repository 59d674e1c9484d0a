import EntitlementDomain

/// When the clock may next change what an account has, as far as a group of appends can tell without reading the rest of the
/// account: never too late, perhaps too early. Whoever looks too early finds nothing and learns the right time.
enum ClockBound {
    /// The bounds of the accounts that a group changed; an account without one is changed by the clock no earlier than was
    /// known before.
    ///
    /// What the clock does to an account is what it does to each of its lines and to its grants, with one exception: passes
    /// that stack run over several lines, so a change of one moves the end of all. Such an account is looked at at once, for
    /// what the clock brought after `instant`: what it brought before, readers of the event have seen.
    static func all(of plan: AppendPlan, from instant: Instant) -> [AppendPlan.AccountKey: Instant] {
        var bounds: [AppendPlan.AccountKey: Instant] = [:]
        func note(_ bound: Instant?, _ key: AppendPlan.AccountKey) {
            guard let bound else { return }
            bounds[key] = bounds[key].map { min($0, bound) } ?? bound
        }
        for id in plan.changedLines.keys {
            let (before, after) = (plan.lineBefore(id), plan.line(id))
            let hasPasses = before.hasPasses(plan.catalog) || after.hasPasses(plan.catalog)
            // Nor can the head of a long line tell when it does not reach back to the instant.
            let isUnknown = hasPasses || Account(lines: [after]).answersFrom > instant
            let bound = isUnknown ? instant.advanced(byMilliseconds: 1) : next(Account(lines: [after]), plan, instant)
            for owner in Set([before.owner, after.owner].compactMap(\.self)) {
                note(bound, AppendPlan.AccountKey(environment: id.environment, account: owner))
            }
        }
        for key in plan.changedStates.keys {
            note(next(Account(lines: [], state: plan.account(key)), plan, instant), key)
        }
        return bounds
    }

    private static func next(_ account: Account, _ plan: AppendPlan, _ instant: Instant) -> Instant? {
        account.answer(at: instant, catalog: plan.catalog, policy: plan.context.policy).nextChangeAt
    }
}

extension LineState {
    fileprivate func hasPasses(_ catalog: Catalog) -> Bool {
        transactions.contains { catalog.type(of: $0.newest) == .nonRenewing }
    }
}
