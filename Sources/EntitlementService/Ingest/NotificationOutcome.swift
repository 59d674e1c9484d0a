/// What became of one delivery of a notification, and what the App Store is told.
enum NotificationOutcome: Sendable, Hashable {
    /// Durable now.
    case appended
    /// Had its effect before.
    case duplicate
    /// A forgery, or nothing this service takes: a repetition would not help.
    case refused(reason: String, message: String)
    /// Well formed, but not verifiable now: kept aside, grants nothing, will be tried again.
    case parked(message: String)
    /// A passing trouble of this service: nothing was kept, the App Store is to send it again.
    case unavailable(message: String)
    /// A lasting trouble of this service.
    case failed

    var status: Int {
        switch self {
        case .appended, .duplicate: 200
        case .refused: 400
        case .parked, .unavailable: 503
        case .failed: 500
        }
    }

    /// The label in metrics.
    var label: String {
        switch self {
        case .appended: "appended"
        case .duplicate: "duplicate"
        case .refused(let reason, _): reason
        case .parked: "parked"
        case .unavailable: "unavailable"
        case .failed: "failed"
        }
    }
}
