import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC

/// The methods that read: entitlements, balances and events.
struct Lookups: Sendable {
    let reads: AccountReads

    var store: PostgresEventStore { reads.store }
    var clock: @Sendable () -> Instant { reads.clock }

    func entitlements(_ parameters: EntitlementsGet.Parameters) async throws(JSONRPCError) -> SnapshotResponse {
        let (answer, position) = try await answer(for: parameters.key, at: parameters.at)
        return SnapshotResponse(
            key: parameters.key.subject,
            environment: parameters.key.environment,
            answer: answer,
            position: position
        )
    }

    func check(_ parameters: EntitlementsCheck.Parameters) async throws(JSONRPCError) -> EntitlementsCheck.Response {
        let (answer, position) = try await answer(for: parameters.key, at: parameters.at)
        return EntitlementsCheck.Response(
            entitlement: parameters.entitlement,
            source: answer[entitlement: parameters.entitlement]?.decisive,
            position: position
        )
    }

    func balances(_ parameters: BalancesGet.Parameters) async throws(JSONRPCError) -> BalancesResponse {
        let (answer, position) = try await answer(for: parameters.key, at: parameters.at)
        return BalancesResponse(balances: answer.balances, position: position)
    }

    private func answer(
        for key: KeyParameters,
        at instant: Instant?
    ) async throws(JSONRPCError) -> (Answer, LogPosition) {
        if let read = try await read(key, at: instant) { return (read.answer, read.position) }
        do {
            if let minPosition = key.minPosition {
                try await store.wait(for: minPosition, upTo: .milliseconds(key.waitMilliseconds))
            }
            let (snapshot, instant) = try await store.snapshot(of: key, at: instant, clock)
            let answer = snapshot.account.answer(at: instant, catalog: snapshot.catalog, policy: store.policy)
            return (answer, snapshot.position)
        } catch {
            throw JSONRPCError(error)
        }
    }

    /// Reads what is asked about an account for now, together with others who ask for it; nil for other questions.
    func read(_ key: KeyParameters, at instant: Instant?) async throws(JSONRPCError) -> AccountRead? {
        guard instant == nil, key.knownAt == nil, case .account(let account) = key.subject else { return nil }
        do {
            if let minPosition = key.minPosition {
                try await store.wait(for: minPosition, upTo: .milliseconds(key.waitMilliseconds))
            }
            return try await reads.read(account, in: key.environment, minimum: key.minPosition)
        } catch {
            throw JSONRPCError(error)
        }
    }
}

extension PostgresEventStore {
    /// The facts of whatever a key names, from the projections or from a cut through the log.
    ///
    /// - Parameter reach: how much of long lines to read from the projections.
    func snapshot(of key: KeyParameters, reach: LineReach = .head) async throws(StoreError) -> Snapshot {
        guard let knownAt = key.knownAt else {
            return try await snapshot(of: key.subject, in: key.environment, reach: reach)
        }
        return try await snapshot(of: EventQuery.Subject(key.subject), in: key.environment, knownAt: knownAt)
    }

    /// The facts of whatever a key names.
    func snapshot(
        of subject: KeyParameters.Subject,
        in environment: StoreEnvironment,
        reach: LineReach = .head
    ) async throws(StoreError) -> Snapshot {
        switch subject {
        case .account(let account): try await snapshot(ofAccount: account, in: environment, reach: reach)
        case .originalTransactionID(let id): try await snapshot(ofLine: id, in: environment, reach: reach)
        }
    }
}

extension EventQuery.Subject {
    /// The same subject as the store names it.
    init(_ subject: KeyParameters.Subject) {
        switch subject {
        case .account(let account): self = .account(account)
        case .originalTransactionID(let id): self = .line(id)
        }
    }
}
