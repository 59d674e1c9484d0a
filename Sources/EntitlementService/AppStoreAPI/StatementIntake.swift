import AppStore
import EntitlementDomain
import EventStore

/// Appends what responses of the App Store Server API hold, through the same path as everything else.
struct StatementIntake: Sendable {
    /// What became of one part of a response.
    enum Outcome: Sendable, Hashable {
        case appended
        /// The log had it already.
        case known
        /// It cannot be used, whenever it is tried.
        case refused(StatementError)
        /// It cannot be verified now, and is kept aside.
        case parked
    }

    let store: PostgresEventStore
    let metrics: ServiceMetrics
    /// Answers requests for consumption information that come in this way.
    var consumption: ConsumptionResponder?
    let clock: @Sendable () -> Instant

    /// Appends a part, or keeps a notification aside that may verify later.
    ///
    /// - Parameter claim: the account that claims the part's line; nil: nobody does.
    func take(
        _ part: SignedResponsePart,
        isNotification: Bool = false,
        claim: AccountID? = nil
    ) async throws(StoreError) -> Outcome {
        switch part.result {
        case .success(let statement):
            let outcome = try await store.append(.statement(StatementRecord(statement), claim: claim))
            metrics.count(outcome)
            guard !outcome.events.isEmpty else { return .known }
            consumption?.respond(to: statement)
            return .appended
        case .failure(let error):
            metrics.ingest.countFailure("api", reason: error.reason.rawValue)
            guard isNotification, error.isTemporary else { return .refused(error) }
            try await store.park(part.text, reason: error.reason.rawValue, at: clock())
            return .parked
        }
    }

    /// Appends the parts of a page at the same time, so that they share the commits of groups.
    func take(
        _ parts: [SignedResponsePart],
        isNotification: Bool = false,
        claim: AccountID? = nil
    ) async throws(StoreError) -> [Outcome] {
        let results = await withTaskGroup(of: Result<Outcome, StoreError>.self) { group in
            for part in parts {
                group.addTask {
                    do throws(StoreError) {
                        return .success(try await take(part, isNotification: isNotification, claim: claim))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<Outcome, StoreError>] = []
            for await result in group { results.append(result) }
            return results
        }
        var outcomes: [Outcome] = []
        for result in results { outcomes.append(try result.get()) }
        return outcomes
    }
}
