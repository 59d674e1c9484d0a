/// Why a story could not be told to its end.
package enum StoryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No response came from the address.
    case unreachable(url: String, reason: String)
    /// The catalog of the service has no subscription that renews monthly.
    case noMonthlyPlan
    /// The service did not accept a notification.
    case notificationRefused(status: Int, step: String)
    /// A call failed; the message is the service's.
    case callFailed(method: String, message: String)
    /// The response is not what the service sends.
    case strangeResponse(method: String, status: Int)

    package var description: String {
        switch self {
        case .unreachable(let url, let reason):
            "no answer from \(url): \(reason)"
        case .noMonthlyPlan:
            "the catalog has no auto-renewable product with the period P1M; put one in it (entitled catalog import)"
        case .notificationRefused(let status, let step) where (400...499).contains(status):
            "the notification (\(step)) was refused with status \(status); does the service trust the chain that signs"
                + " it, and are bundle id and environment right?"
        case .notificationRefused(let status, let step):
            "the notification (\(step)) was answered with status \(status); look at the service's log"
        case .callFailed(let method, let message):
            "\(method) failed: \(message)"
        case .strangeResponse(let method, let status):
            "\(method) was answered with status \(status) and no JSON-RPC response; is this the address of the service?"
        }
    }
}
