/// One fault of a StoreKit configuration and its place.
package struct StoreKitProblem: Sendable, Hashable, CustomStringConvertible {
    package enum Severity: String, Sendable, Hashable {
        /// The file cannot be used.
        case error
        /// The file can be used, but something looks wrong.
        case warning
    }

    package var severity: Severity
    /// Line in the file, from 1.
    package var line: Int
    /// Where, for example `subscriptionGroups[0].subscriptions[1].groupNumber`; empty: the file itself.
    package var path: String
    /// What is wrong and what to do.
    package var message: String

    package init(severity: Severity, line: Int, path: String, message: String) {
        self.severity = severity
        self.line = line
        self.path = path
        self.message = message
    }

    package var description: String {
        let place = path.isEmpty ? "line \(line)" : "line \(line): \(path)"
        return severity == .warning ? "warning: \(place): \(message)" : "\(place): \(message)"
    }
}
