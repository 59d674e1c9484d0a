/// How much a line of the service's log matters.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// Every call.
    case debug
    /// What was taken in, what commands did, and what the service does by itself.
    case info
    /// What is wrong and may pass.
    case warning
    /// What somebody has to look at.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
