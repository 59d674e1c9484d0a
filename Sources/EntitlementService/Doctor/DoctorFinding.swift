/// What an examination found at one step.
package struct DoctorFinding: Sendable, Hashable {
    /// The steps in their order: each one needs those before it.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        /// Keys, roots, apps.
        case configuration
        case database
        /// From here to the App Store.
        case network
        case clock
        case credentials
        /// The URL in App Store Connect.
        case notificationURL
        /// The certificates that the App Store signs with.
        case signature
        /// From the App Store to the URL.
        case delivery
        /// From the URL into this log.
        case arrival
    }

    package var step: Step
    package var isGood: Bool
    /// What was found; where it is not good, what to do.
    package var text: String
}
