import EntitlementAPI
import EntitlementDomain
import EventStore
import JSON
import JSONRPC
import X509

extension Lookups {
    /// The most events that an explanation looks at.
    private static let explainedEvents = 1_000

    func events(_ parameters: EventsList.Parameters) async throws(JSONRPCError) -> EventsList.Response {
        var query = EventQuery(
            subject: parameters.subject.map(EventQuery.Subject.init),
            environment: parameters.environment,
            after: parameters.after,
            datedUpTo: parameters.at,
            limit: Int(parameters.limit)
        )
        do {
            if let minPosition = parameters.minPosition {
                try await store.wait(for: minPosition, upTo: .milliseconds(parameters.waitMilliseconds))
            }
            if let knownAt = parameters.knownAt {
                if case .account? = query.subject, let subject = query.subject {
                    // The lines that were the account's by what was known then.
                    let snapshot = try await store.snapshot(
                        of: subject,
                        in: parameters.environment ?? .production,
                        knownAt: knownAt
                    )
                    query.upTo = snapshot.position
                    query.lines = snapshot.account.lines.map(\.id)
                } else {
                    query.upTo = try await store.position(of: knownAt)
                }
            }
            let page = try await store.events(query)
            return EventsList.Response(
                events: page.events.map { EventsList.Event($0, epoch: page.head.epoch) },
                position: query.upTo ?? page.head,
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
            let (snapshot, instant) = try await store.snapshot(of: key, at: parameters.at, clock)
            let account = snapshot.account
            let page = try await store.events(
                EventQuery(
                    subject: EventQuery.Subject(key.subject),
                    environment: key.environment,
                    upTo: snapshot.position,
                    lines: account.lines.map(\.id),
                    isNewest: true,
                    limit: Self.explainedEvents
                )
            )
            let subscriptions = account.subscriptions(at: instant, catalog: snapshot.catalog, policy: store.policy)
            let statuses = subscriptions.groups.flatMap(\.statuses)
            let holds =
                account.state.holds.map { EntitlementsExplain.HoldEntry(hold: $0, originalTransactionID: nil) }
                + account.lines.flatMap { line in
                    line.holds.map {
                        EntitlementsExplain.HoldEntry(hold: $0, originalTransactionID: line.id.originalTransactionID)
                    }
                }
            return EntitlementsExplain.Response(
                answer: account.answer(at: instant, catalog: snapshot.catalog, policy: store.policy),
                position: snapshot.position,
                holds: holds,
                grants: Dictionary(account.state.grants.map { ($0.id, $0) }, uniquingKeysWith: { $1 }),
                notes: Self.notes(page.events),
                transactions: Dictionary(
                    account.lines.flatMap(\.transactions).map { ($0.transactionID, $0.newest) },
                    uniquingKeysWith: { first, _ in first }
                ),
                renewals: Dictionary(
                    statuses.compactMap { status in status.renewal.map { (status.line, $0) } },
                    uniquingKeysWith: { first, _ in first }
                ),
                events: page.events.map { EventsList.Event($0, epoch: page.head.epoch) },
                isShortened: page.hasMore
            )
        } catch {
            throw JSONRPCError(error)
        }
    }

    /// What the commands that issued grants and placed holds said of themselves.
    private static func notes(_ events: [ListedEvent]) -> [AccountID: EntitlementsExplain.Note] {
        var notes: [AccountID: EntitlementsExplain.Note] = [:]
        for event in events where [EventType.grantIssued.rawValue, EventType.holdPlaced.rawValue].contains(event.type) {
            guard let id = event.commandID, let payload = try? JSONParser.parse(event.payload) else { continue }
            notes[id] = EntitlementsExplain.Note(
                owner: payload["owner"]?.stringValue,
                reason: payload["reason"]?.stringValue
            )
        }
        return notes
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
