/// What a revocation takes back (`revocationType`). A value that is not known counts as `full`.
package enum RevocationKind: String, Sendable, Hashable {
    case full = "REFUND_FULL"
    /// A subscription ends at the revocation date; of a consumable a share is taken back.
    case prorated = "REFUND_PRORATED"
    /// A family member lost the share.
    case family = "FAMILY_REVOKE"
}
