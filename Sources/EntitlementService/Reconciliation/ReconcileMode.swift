/// What a run of reconciliation fetches of the notification history.
package enum ReconcileMode: Sendable, Hashable {
    /// What is due by the intervals.
    case due
    /// The same, and what could not be delivered in any case: at the start of a service, and when an operator asks.
    case now
    /// Everything since the last time everything was fetched.
    case everything
}
