import AppStore
import EntitlementDomain
import JSON

/// What was sent, and test notifications.
extension FakeStoreState {
    private static let pageSize = 20
    private static let day: Int64 = 86_400_000
    /// How long a pagination token lives, in milliseconds of the virtual clock.
    private static let tokenLifetime: Int64 = 3_600_000

    /// How far back notifications are kept (App Store Server API, Get Notification History).
    static func daysKept(_ environment: StoreEnvironment) -> Int64 {
        environment == .sandbox ? 30 : 180
    }

    func notificationHistory(_ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        guard let body = call.body else { throw .refused(.generalBadRequest) }
        guard let start = body["startDate"]?.int64Value else { throw .refused(.invalidStartDate) }
        guard let end = body["endDate"]?.int64Value else { throw .refused(.invalidEndDate) }
        guard start < end else { throw .refused(.startDateAfterEndDate) }
        guard start >= now.milliseconds - Self.daysKept(call.environment) * Self.day else {
            throw .refused(.startDateTooFarInPast)
        }
        let type = body["notificationType"]?.stringValue
        let subtype = body["notificationSubtype"]?.stringValue
        if type == nil, body["notificationType"] != nil || subtype != nil { throw .refused(.invalidNotificationType) }
        let transactionID = body["transactionId"]?.stringValue
        if type != nil, transactionID != nil { throw .refused(.multipleFiltersSupplied) }
        if let transactionID { _ = try transaction(transactionID, in: call.environment) }
        let onlyFailures = body["onlyFailures"] == true
        let all = self[call.environment].notifications
        var index = try place(call)
        var entries: [JSONValue] = []
        while index < all.count {
            let notification = all[index]
            let signedAt = notification.signedAt.milliseconds
            let isWanted =
                signedAt >= start && signedAt < end && (type == nil || notification.type == type)
                && (subtype == nil || notification.subtype == subtype)
                && (transactionID == nil || notification.transactionID == transactionID)
                && !(onlyFailures && (notification.isDelivered || notification.attempts.isEmpty))
            if isWanted {
                if entries.count == Self.pageSize { break }
                entries.append(Self.entry(notification))
            }
            index += 1
        }
        var answer: JSONObject = ["hasMore": JSONValue(index < all.count)]
        if index < all.count { answer["paginationToken"] = .string("\(index)_\(now.milliseconds)") }
        answer["notificationHistory"] = .array(entries)
        return FakeAnswer(answer)
    }

    /// Where a pagination token continues.
    private func place(_ call: FakeCall) throws(FakeStoreError) -> Int {
        guard let token = call.value("paginationToken") else { return 0 }
        let parts = token.split(separator: "_")
        guard parts.count == 2, let index = Int(parts[0]), index >= 0, let issued = Int64(parts[1]) else {
            throw .refused(.invalidPaginationToken)
        }
        guard now.milliseconds - issued <= Self.tokenLifetime else { throw .refused(.paginationTokenExpired) }
        return index
    }

    private static func entry(_ notification: FakeNotification) -> JSONValue {
        [
            "signedPayload": .string(notification.text),
            // Six at most: one try and five repetitions.
            "sendAttempts": .array(
                notification.attempts.suffix(6).map {
                    [
                        "attemptDate": JSONValue($0.at.milliseconds), "sendAttemptResult": .string($0.result),
                    ]
                }
            ),
        ]
    }

    mutating func testNotification(_ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        guard self[call.environment].notificationURL != nil else { throw .refused(.serverNotificationURLNotFound) }
        try announce("TEST", nil, transaction: nil, in: call.environment)
        let index = self[call.environment].notifications.count - 1
        let token = "\(self[call.environment].notifications[index].uuid)_\(now.milliseconds)"
        self[call.environment].tests[token] = index
        return FakeAnswer(["testNotificationToken": .string(token)])
    }

    func testStatus(_ token: String, _ call: FakeCall) throws(FakeStoreError) -> FakeAnswer {
        guard token.contains("_") else { throw .refused(.invalidTestNotificationToken) }
        guard let index = self[call.environment].tests[token] else { throw .refused(.testNotificationNotFound) }
        guard case .object(let entry) = Self.entry(self[call.environment].notifications[index]) else {
            throw .refused(.generalInternal)
        }
        return FakeAnswer(entry)
    }
}
