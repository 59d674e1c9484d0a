import JSON

/// What became of a test notification (App Store Server API, CheckTestNotificationResponse).
package struct TestNotificationStatus: Sendable {
    package var notification: SignedResponsePart
    package var attempts: [SendAttempt]

    init(_ reader: ResponseReader) throws(ServerAPIError) {
        notification = reader.notification(try reader.text("signedPayload"))
        attempts = ResponseReader.attempts(reader.object["sendAttempts"])
    }
}
