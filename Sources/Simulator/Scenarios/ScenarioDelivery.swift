package import EntitlementDomain

/// One thing that reaches the service.
package struct ScenarioDelivery: Sendable {
    package enum Content: Sendable {
        /// An App Store Server Notification V2.
        case notification(DecodedNotification)
        /// A transaction sent by an app's backend.
        case upload(DecodedUpload)
        /// An app receipt sent by an app's backend.
        case receipt(DecodedReceipt)
        /// Any other call.
        case call(ScenarioCall)
    }

    /// The name of the delivery, unique in its file.
    package let id: String
    /// The virtual clock's time when it arrives.
    package let at: Instant
    package let content: Content
    /// How its signed text is spoiled before it is sent; nil: not at all.
    package let tamper: Tampering?
    /// What the service must say to it.
    package let answer: ScenarioAnswer
}
