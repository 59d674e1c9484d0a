import EntitlementDomain
import JSON

/// How time passes in a fake App Store.
extension FakeStoreState {
    /// Lets things happen up to an instant, and stops where notifications are to be sent.
    ///
    /// - Returns: what is to be sent now; empty: the clock has come to the instant.
    mutating func proceed(to instant: Instant) throws(FakeStoreError) -> [DueDelivery] {
        var due: [DueDelivery] = []
        while let entry = agenda.first, entry.at <= instant, due.isEmpty || entry.at <= now {
            _ = agenda.removeFirst()
            now = max(now, entry.at)
            switch entry.matter {
            case .billing(let environment, let lineID):
                // An entry that something else has overtaken.
                guard self[environment].lines[lineID]?.nextStepAt == entry.at else { continue }
                try step(lineID, in: environment)
            case .delivery(let environment, let index):
                let notification = self[environment].notifications[index]
                guard notification.nextAttemptAt == entry.at else { continue }
                guard let url = self[environment].notificationURL else {
                    self[environment].notifications[index].nextAttemptAt = nil
                    continue
                }
                due.append(
                    DueDelivery(
                        environment: environment,
                        index: index,
                        delivery: NotificationDelivery(url: url, text: notification.text)
                    )
                )
            }
        }
        if due.isEmpty { now = max(now, instant) }
        return due
    }
}
