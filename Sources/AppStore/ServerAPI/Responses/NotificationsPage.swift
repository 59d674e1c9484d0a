package import EntitlementDomain
import JSON

/// A page of notifications (App Store Server API, NotificationHistoryResponse).
package struct NotificationsPage: ServerAPIPage {
    /// One notification and the tries to deliver it.
    package struct Entry: Sendable {
        package var notification: SignedResponsePart
        package var attempts: [SendAttempt]
    }

    package var environment: StoreEnvironment
    package var entries: [Entry]
    package var paginationToken: String?
    package var hasMore: Bool

    package var continuation: String? { paginationToken }

    init(_ reader: ResponseReader) throws(ServerAPIError) {
        environment = reader.environment
        paginationToken = reader.object["paginationToken"]?.stringValue
        hasMore = reader.object["hasMore"]?.boolValue ?? false
        var entries: [Entry] = []
        for value in try reader.list("notificationHistory") {
            guard let text = value["signedPayload"]?.stringValue else {
                throw .malformedResponse("an entry of notificationHistory has no signedPayload")
            }
            entries.append(
                Entry(
                    notification: reader.notification(text),
                    attempts: ResponseReader.attempts(value["sendAttempts"])
                )
            )
        }
        self.entries = entries
    }
}
