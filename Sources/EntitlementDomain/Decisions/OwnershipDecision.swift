/// What the claim of an account on a line (an upload for it, a restore) comes to.
package enum OwnershipDecision: Sendable, Hashable {
    /// The account owns the line already.
    case alreadyOwner
    /// Nobody owned it: the claim links it.
    case link
    /// Another account, perhaps an erased one, owned it and the policy gives it to the newest claim.
    case transfer
    /// Another account owns it and keeps it: the claim is refused.
    case conflict

    /// Decides a claim.
    ///
    /// - Parameters:
    ///   - account: who claims.
    ///   - line: the line as it is once the claim's own statement is folded in.
    ///   - rule: the company's choice.
    package static func decide(
        claimBy account: AccountID,
        on line: LineState,
        rule: Policy.OwnershipRule
    ) -> OwnershipDecision {
        guard let owner = line.owner ?? (line.isErased ? .erased : nil) else { return .link }
        if owner == account { return .alreadyOwner }
        return rule == .transferToNewest ? .transfer : .conflict
    }
}
