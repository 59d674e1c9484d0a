import EntitlementDomain
import EntitlementService

/// A report of reconciliation for people.
enum ReconcileText {
    /// One line for each part.
    static func lines(_ report: ReconcileReport) -> [String] {
        var lines: [String] = []
        for history in report.histories {
            let kind = history.onlyFailures ? "failed notifications" : "notifications"
            lines.append(
                "\(history.bundleID) \(history.environment.rawValue): \(history.notifications) \(kind) from "
                    + "\(history.from.iso8601) to \(history.until.iso8601), \(history.appended) new"
                    + (history.refused > 0 ? ", \(history.refused) cannot be used" : "")
                    + (history.parked > 0 ? ", \(history.parked) kept to be verified later" : "")
            )
            if let gap = history.outOfReach {
                lines.append(
                    "  out of reach: the App Store does not keep notifications from \(gap.from.iso8601) to "
                        + "\(gap.until.iso8601); subscriptions are asked about below, and purchases.restore fetches the rest"
                )
            }
            if let problem = history.problem { lines.append("  not complete: \(problem)") }
        }
        let asked = report.asked.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        lines.append(
            "\(report.lines) lines looked at, "
                + (asked.isEmpty ? "none suspicious" : "asked about \(asked.joined(separator: ", "))")
                + (report.appendedAboutLines > 0 ? ": \(report.appendedAboutLines) new statements" : "")
        )
        lines.append("\(report.calls) calls of the App Store Server API")
        if let stop = report.stop { lines.append("not complete: \(stop)") }
        return lines
    }
}
