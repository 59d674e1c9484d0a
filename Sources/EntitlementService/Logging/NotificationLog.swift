import AppStore
import EntitlementDomain
import JSON

/// The log's lines about notifications: one for each delivery.
final class NotificationLog: Sendable {
    private let log: ServiceLog
    /// Anybody can post what is no notification.
    private let refusals = LogThrottle(perSecond: 10)

    init(_ log: ServiceLog) {
        self.log = log
    }

    /// - Parameter statement: nil: none was verified.
    func write(_ outcome: NotificationOutcome, _ statement: Statement?, duration: Duration) {
        let level = Self.level(outcome)
        guard log.isOn(level) else { return }
        var fields: ServiceLog.Fields = [
            ("outcome", .string(outcome.label)), ("status", .number(JSONNumber(Int64(outcome.status)))),
            ("durationMicros", .number(JSONNumber(duration.inMicroseconds))),
        ]
        switch outcome {
        case .refused(_, let message):
            guard let suppressed = refusals.admit() else { return }
            if suppressed > 0 { fields.append(("suppressed", .number(JSONNumber(Int64(suppressed))))) }
            fields.append(("reason", .string(message)))
        case .parked(let message): fields.append(("reason", .string(message)))
        case .appended, .duplicate, .unavailable, .failed: break
        }
        if let statement { fields += Self.fields(statement) }
        fields += RequestTrace.current?.takeFields() ?? []
        log.write(level, "notification", fields)
    }

    private static func fields(_ statement: Statement) -> ServiceLog.Fields {
        var fields: ServiceLog.Fields = []
        if case .notification(let id) = statement.identity {
            fields.append(("notificationUUID", .string(id.description)))
        }
        if let type = statement.notificationType { fields.append(("type", .string(type))) }
        if let subtype = statement.subtype { fields.append(("subtype", .string(subtype))) }
        if !statement.bundleID.isEmpty { fields.append(("bundleId", .string(statement.bundleID))) }
        fields.append(("environment", .string(statement.environment.rawValue)))
        fields.append(("signedAt", .string(statement.signedAt.iso8601)))
        return fields
    }

    private static func level(_ outcome: NotificationOutcome) -> LogLevel {
        switch outcome {
        case .appended, .duplicate: .info
        case .refused, .parked, .unavailable: .warning
        case .failed: .error
        }
    }
}
