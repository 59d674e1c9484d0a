/// What a full refund does to the access of a subscription period.
package enum RefundAccess: String, Sendable, Hashable, CaseIterable {
    /// Access ends at the revocation date.
    case immediate
    /// Access goes on to the end of the period.
    case endOfPeriod
}
