extension ServiceMetrics {
    /// Counts a call of the App Store Server API.
    func countAppStoreCall(_ status: String) {
        add("entitled_appstore_calls_total", "status", status)
    }

    /// Counts an answer to a request for consumption information.
    func countConsumption(_ outcome: String) {
        add("entitled_consumption_requests_total", "outcome", outcome)
    }

    /// Counts a run of reconciliation.
    func countReconciliation(_ outcome: String) {
        add("entitled_reconcile_runs_total", "outcome", outcome)
    }

    /// Counts a notification of the App Store's history.
    func countReconciledNotification(_ outcome: StatementIntake.Outcome) {
        let label =
            switch outcome {
            case .appended: "appended"
            case .known: "known"
            case .refused: "refused"
            case .parked: "parked"
            }
        add("entitled_reconcile_notifications_total", "outcome", label)
    }

    /// Counts a line that the App Store was asked about.
    func countAskedLine(_ suspicion: LineSuspicion) {
        add("entitled_reconcile_lines_total", "suspicion", suspicion.rawValue)
    }

    /// Counts time, in milliseconds, that is out of reach.
    func countOutOfReach(_ milliseconds: Int64) {
        add("entitled_reconcile_out_of_reach_seconds_total", "", "", Double(milliseconds) / 1_000)
    }
}
