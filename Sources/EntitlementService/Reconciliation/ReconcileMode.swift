/// What a run of reconciliation fetches of the notification history.
package enum ReconcileMode: Sendable, Hashable {
    /// What is due by the intervals.
    case due
    /// Everything since the last time everything was fetched.
    case everything
}
