import AppStore
import EntitlementDomain
import JSON

/// What a fake App Store tells of what happens.
extension FakeStoreState {
    /// Signs a notification about a transaction, and puts its delivery on the agenda.
    mutating func announce(
        _ type: String,
        _ subtype: String?,
        transaction id: String?,
        data extra: JSONObject = JSONObject(),
        in environment: StoreEnvironment
    ) throws(FakeStoreError) {
        var data: JSONObject = [
            "environment": .string(environment.rawValue), "bundleId": .string(app.bundleID), "bundleVersion": "1",
        ]
        if environment == .production { data["appAppleId"] = JSONValue(app.appAppleID) }
        if let id {
            data["signedTransactionInfo"] = .string(try signed(transaction: id, in: environment))
            if let line = line(of: id, in: environment) {
                data["status"] = JSONValue(line.status)
                data["signedRenewalInfo"] = .string(try signed(renewalInfo(line, in: environment)))
            }
        }
        let uuid = nextUUID()
        var envelope: JSONObject = ["notificationType": .string(type)]
        envelope["subtype"] = subtype.map(JSONValue.string)
        envelope["notificationUUID"] = .string(uuid)
        envelope["data"] = .object(data.merging(extra))
        envelope["version"] = "2.0"
        var notification = FakeNotification(
            uuid: uuid,
            type: type,
            subtype: subtype,
            signedAt: now,
            text: try signed(envelope),
            transactionID: id
        )
        let index = self[environment].notifications.count
        if self[environment].notificationURL != nil {
            notification.nextAttemptAt = now
            agenda.add(.delivery(environment, index: index), at: now)
        }
        self[environment].notifications.append(notification)
    }

    /// Writes down how a delivery went, and when the next try is.
    mutating func recordAttempt(_ result: String, index: Int, in environment: StoreEnvironment) {
        var notification = self[environment].notifications[index]
        notification.attempts.append(FakeNotification.Attempt(at: now, result: result))
        notification.nextAttemptAt = nil
        if result != "SUCCESS",
            let wait = DeliverySchedule.wait(afterAttempts: notification.attempts.count, in: environment)
        {
            let next = now.advanced(byMilliseconds: wait)
            notification.nextAttemptAt = next
            agenda.add(.delivery(environment, index: index), at: next)
        }
        self[environment].notifications[index] = notification
    }
}
