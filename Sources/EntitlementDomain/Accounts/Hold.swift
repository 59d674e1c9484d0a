/// A suspension of an account, of a line or of one entitlement. It touches no fact: access returns when the last hold is
/// lifted.
package struct Hold: Sendable, Hashable {
    package var id: AccountID
    /// The entitlement that is held; nil: all of the account's, or of the line's.
    package var entitlement: String?
    package var placedAt: Instant
    package var liftedAt: Instant?

    package init(id: AccountID, entitlement: String?, placedAt: Instant, liftedAt: Instant? = nil) {
        self.id = id
        self.entitlement = entitlement
        self.placedAt = placedAt
        self.liftedAt = liftedAt
    }

    /// Whether the hold is on at an instant.
    package func isOn(at instant: Instant) -> Bool {
        placedAt <= instant && (liftedAt.map { instant < $0 } ?? true)
    }
}
