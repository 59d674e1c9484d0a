/// What an account has besides its lines: grants, holds, spends; folded from the company's commands in log order.
package struct AccountState: Sendable, Hashable {
    package private(set) var grants: [Grant] = []
    package private(set) var holds: [Hold] = []
    package private(set) var spends: [Spend] = []
    /// Whether the account was erased: nothing that concerns it gives access any more.
    package private(set) var isErased = false

    package init() {}

    init(grants: [Grant], holds: [Hold], spends: [Spend], isErased: Bool) {
        self.grants = grants
        self.holds = holds
        self.spends = spends
        self.isErased = isErased
    }

    package var isEmpty: Bool { grants.isEmpty && holds.isEmpty && spends.isEmpty && !isErased }

    /// Applies one event that names the account. Events must come in log order; an event of another kind changes
    /// nothing.
    package mutating func apply(_ type: EventType, _ facts: CommandFacts, at recordedAt: Instant, position: Int64) {
        switch type {
        case .grantIssued:
            guard let id = facts.id, let entitlement = facts.entitlement else { return }
            let startsAt = facts.startsAt ?? recordedAt
            grants.append(Grant(id: id, entitlement: entitlement, startsAt: startsAt, endsAt: facts.endsAt))
        case .grantRevoked:
            for index in grants.indices where grants[index].id == facts.id && grants[index].revokedAt == nil {
                grants[index].revokedAt = recordedAt
            }
        case .holdPlaced:
            guard let id = facts.id else { return }
            holds.append(Hold(id: id, entitlement: facts.entitlement, placedAt: recordedAt))
        case .holdLifted:
            holds.lift(facts.id, at: recordedAt)
        case .creditSpent:
            guard let currency = facts.currency, let units = facts.units else { return }
            spends.append(Spend(position: position, at: recordedAt, currency: currency, units: units))
        case .accountErased:
            isErased = true
        default:
            return
        }
    }
}

extension [Hold] {
    /// Lifts the hold with an id, when it is on.
    mutating func lift(_ id: AccountID?, at instant: Instant) {
        for index in indices where self[index].id == id && self[index].liftedAt == nil {
            self[index].liftedAt = instant
        }
    }
}
