package import EntitlementDomain
import JSON

/// Which notifications are wanted (App Store Server API, Get Notification History).
package struct NotificationHistoryQuery: Sendable, Hashable {
    /// What narrows the history down; the App Store takes one of them at most.
    package enum Filter: Sendable, Hashable {
        case type(NotificationType, NotificationSubtype?)
        case transaction(String)
    }

    package var startsAt: Instant
    package var endsAt: Instant
    package var filter: Filter?
    /// Those only that have not reached the service yet, with those that are still being tried.
    package var onlyFailures: Bool

    package init(startsAt: Instant, endsAt: Instant, filter: Filter? = nil, onlyFailures: Bool = false) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.filter = filter
        self.onlyFailures = onlyFailures
    }

    var body: JSONObject {
        var body: JSONObject = [
            "startDate": JSONValue(startsAt.milliseconds), "endDate": JSONValue(endsAt.milliseconds),
        ]
        switch filter {
        case .type(let type, let subtype)?:
            body["notificationType"] = .string(type.rawValue)
            body["notificationSubtype"] = subtype.map { .string($0.rawValue) }
        case .transaction(let id)?: body["transactionId"] = .string(id)
        case nil: break
        }
        if onlyFailures { body["onlyFailures"] = true }
        return body
    }
}
