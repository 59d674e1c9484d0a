package import EntitlementDomain

/// One event in the life of an account.
package struct StoryStep: Sendable {
    package enum Statement: Sendable {
        /// The App Store tells the service.
        case notification(DecodedNotification)
        /// The app's backend tells it.
        case upload(DecodedUpload)
    }

    /// When it happens.
    package let at: Instant
    /// What happens, in plain words.
    package let words: String
    package let statement: Statement
}
