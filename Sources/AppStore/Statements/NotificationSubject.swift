import EntitlementDomain

/// The app and the environment that a notification's envelope names, whichever of its four objects it carries.
struct NotificationSubject {
    var bundleID: String?
    var appAppleID: Int64?
    var environment: StoreEnvironment?

    /// Nil when the envelope carries none of the four: a kind of notification that is not known.
    init?(_ envelope: NotificationPayload) {
        if let data = envelope.data {
            (bundleID, appAppleID, environment) = (data.bundleID, data.appAppleID, data.environment)
        } else if let summary = envelope.summary {
            (bundleID, appAppleID, environment) = (summary.bundleID, summary.appAppleID, summary.environment)
        } else if let token = envelope.externalPurchaseToken {
            (bundleID, appAppleID, environment) = (token.bundleID, token.appAppleID, token.environment)
        } else if let appData = envelope.appData {
            (bundleID, appAppleID, environment) = (appData.bundleID, appData.appAppleID, appData.environment)
        } else {
            return nil
        }
    }
}
