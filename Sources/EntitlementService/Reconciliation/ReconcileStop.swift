import AppStore
import EntitlementDomain
import EventStore

/// Why a run of reconciliation ends before its end. What was done stays done.
enum ReconcileStop: Error {
    /// The hour's calls are used up, or the App Store limits the rate.
    case budgetSpent
    case rateLimited(until: Instant?)
    /// Another instance may have taken over.
    case leaseLost
    /// The call failed; other apps and environments may do better.
    case api(ServerAPIError)
    case store(StoreError)

    var description: String {
        switch self {
        case .budgetSpent: "the calls of this hour are used up; the next run goes on from here"
        case .rateLimited(let until):
            "the App Store limits the rate of calls" + (until.map { " until \($0.iso8601)" } ?? "")
        case .leaseLost: "another instance has taken over"
        case .api(let error): error.description
        case .store(let error): error.description
        }
    }
}
