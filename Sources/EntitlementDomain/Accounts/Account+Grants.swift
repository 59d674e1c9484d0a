extension Account {
    /// The sources of grants that have begun.
    func grantSources(horizon: inout ChangeHorizon) -> [EntitlementSource] {
        var sources: [EntitlementSource] = []
        for grant in state.grants {
            horizon.note(grant.startsAt)
            horizon.note(grant.endsAt)
            horizon.note(grant.revokedAt)
            guard grant.startsAt <= horizon.instant else { continue }
            let isRevoked = grant.revokedAt.map { $0 <= horizon.instant } ?? false
            let isOver = grant.endsAt.map { $0 <= horizon.instant } ?? false
            let ends = [grant.endsAt, grant.revokedAt].compactMap(\.self).min()
            sources.append(
                EntitlementSource(
                    entitlement: grant.entitlement,
                    state: isRevoked && !(isOver && grant.endsAt == ends) ? .revoked : isOver ? .expired : .active,
                    store: .grant,
                    grantID: grant.id,
                    startsAt: grant.startsAt,
                    expiresAt: grant.endsAt,
                    accessEndsAt: ends,
                    revokedAt: grant.revokedAt
                )
            )
        }
        return sources
    }
}
