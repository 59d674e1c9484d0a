import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC
import X509

/// The methods that read: entitlements and events.
struct Lookups: Sendable {
    let store: PostgresEventStore
    let clock: @Sendable () -> Instant

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

    func events(_ parameters: EventsList.Parameters) async throws(JSONRPCError) -> EventsList.Response {
        let query = EventQuery(
            subject: parameters.subject.map(EventQuery.Subject.init),
            environment: parameters.environment,
            after: parameters.after,
            limit: Int(parameters.limit)
        )
        do {
            let page = try await store.events(query)
            return EventsList.Response(
                events: page.events.map { EventsList.Event($0, epoch: page.head.epoch) },
                position: page.head,
                hasMore: page.hasMore
            )
        } catch {
            throw JSONRPCError(error)
        }
    }

    func explain(_ parameters: EntitlementsExplain.Parameters) async throws(JSONRPCError)
        -> EntitlementsExplain.Response
    {
        let key = parameters.key
        do {
            if let minPosition = key.minPosition {
                try await store.wait(for: minPosition, upTo: .milliseconds(key.waitMilliseconds))
            }
            let snapshot = try await store.snapshot(of: key)
            let answer = snapshot.account.answer(
                at: parameters.at ?? clock(),
                catalog: snapshot.catalog,
                policy: store.policy
            )
            let page = try await store.events(
                EventQuery(
                    subject: EventQuery.Subject(key.subject),
                    environment: key.environment,
                    upTo: snapshot.position,
                    limit: 1_000
                )
            )
            let facts = snapshot.account.lines.flatMap(\.transactions).map { ($0.transactionID, $0.newest) }
            let holds =
                snapshot.account.state.holds.map { EntitlementsExplain.HoldEntry(hold: $0, originalTransactionID: nil) }
                + snapshot.account.lines.flatMap { line in
                    line.holds.map {
                        EntitlementsExplain.HoldEntry(hold: $0, originalTransactionID: line.id.originalTransactionID)
                    }
                }
            return EntitlementsExplain.Response(
                answer: answer,
                position: snapshot.position,
                holds: holds,
                transactions: Dictionary(facts, uniquingKeysWith: { first, _ in first }),
                events: page.events.map { EventsList.Event($0, epoch: page.head.epoch) },
                isShortened: page.hasMore
            )
        } catch {
            throw JSONRPCError(error)
        }
    }

    private func answer(
        for key: KeyParameters,
        at instant: Instant?
    ) async throws(JSONRPCError) -> (Answer, LogPosition) {
        do {
            if let minPosition = key.minPosition {
                try await store.wait(for: minPosition, upTo: .milliseconds(key.waitMilliseconds))
            }
            let snapshot = try await store.snapshot(of: key)
            let answer = snapshot.account.answer(
                at: instant ?? clock(),
                catalog: snapshot.catalog,
                policy: store.policy
            )
            return (answer, snapshot.position)
        } catch {
            throw JSONRPCError(error)
        }
    }
}

extension PostgresEventStore {
    /// The facts of whatever a key names, from the projections or from a cut through the log.
    func snapshot(of key: KeyParameters) async throws(StoreError) -> Snapshot {
        guard let knownAt = key.knownAt else { return try await snapshot(of: key.subject, in: key.environment) }
        return try await snapshot(of: EventQuery.Subject(key.subject), in: key.environment, knownAt: knownAt)
    }

    /// The facts of whatever a key names.
    func snapshot(
        of subject: KeyParameters.Subject,
        in environment: StoreEnvironment
    ) async throws(StoreError) -> Snapshot {
        switch subject {
        case .account(let account): try await snapshot(ofAccount: account, in: environment)
        case .originalTransactionID(let id): try await snapshot(ofLine: id, in: environment)
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

extension EventsList.Event {
    /// A stored event as it goes over the wire.
    init(_ event: ListedEvent, epoch: Int) {
        self.init(
            position: LogPosition(epoch: epoch, number: event.position),
            eventID: event.eventID,
            type: event.type,
            store: event.store,
            environment: event.environment,
            bundleID: event.bundleID,
            lineID: event.lineID,
            transactionID: event.transactionID,
            account: event.account,
            commandID: event.commandID,
            signedAt: event.signedAt,
            recordedAt: event.recordedAt,
            source: event.source,
            notificationType: event.notificationType,
            notificationSubtype: event.notificationSubtype,
            evidence: event.evidenceDigests.map { Hexadecimal.text($0) },
            payload: event.payload,
            hash: Hexadecimal.text(event.hash)
        )
    }
}
