import EntitlementDomain
import EventStore

/// Folds events from nothing: what a rebuild does, written down again in its shortest form.
struct ReferenceFold {
    /// An account in an environment.
    struct AccountKey: Hashable {
        var environment: StoreEnvironment
        var account: AccountID
    }

    /// A change of a line's owner that an event brought.
    struct OwnerChange {
        var position: Int64
        var type: EventType
        var line: LineID
        var before: AccountID?
        var after: AccountID?
    }

    private(set) var lines: [LineID: LineState] = [:]
    /// Position of the last event of each line.
    private(set) var linePositions: [LineID: Int64] = [:]
    /// Grants, holds and spends of accounts that a command was about.
    private(set) var accounts: [AccountKey: AccountState] = [:]
    /// Position of the last event about an account itself.
    private(set) var statePositions: [AccountKey: Int64] = [:]
    /// Position of the last event that changed what an account has.
    private(set) var accountPositions: [AccountKey: Int64] = [:]
    private(set) var ownerChanges: [OwnerChange] = []

    init(_ events: [EventRecord]) {
        for event in events {
            if let line = event.line {
                apply(event, to: line)
            } else if let account = event.account, event.store == .grant {
                apply(event, to: AccountKey(environment: event.environment, account: account))
            }
        }
    }

    private mutating func apply(_ event: EventRecord, to account: AccountKey) {
        accounts[account, default: AccountState()].apply(
            event.type,
            event.command ?? CommandFacts(),
            at: event.recordedAt,
            position: event.position
        )
        statePositions[account] = event.position
        accountPositions[account] = event.position
    }

    private mutating func apply(_ event: EventRecord, to id: LineID) {
        let before = lines[id] ?? LineState(id: id)
        var after = before
        switch event.type {
        case .accountLinked, .accountTransferred:
            after.apply(OwnerLink(account: event.account, position: event.position))
        case .accountErased:
            after.apply(OwnerLink(account: nil, position: event.position))
        case .holdPlaced, .holdLifted:
            after.apply(hold: event.type, event.command ?? CommandFacts(), at: event.recordedAt)
        default:
            after.apply(
                StatementFacts(transaction: event.transaction, renewal: event.renewal),
                announces: event.type.announces(event.transaction, isNamed: event.notificationType != nil)
            )
        }
        lines[id] = after
        linePositions[id] = event.position
        if before != after {
            for owner in [before.owner, after.owner].compactMap(\.self) {
                accountPositions[AccountKey(environment: id.environment, account: owner)] = event.position
            }
        }
        if before.owner != after.owner {
            ownerChanges.append(
                OwnerChange(
                    position: event.position,
                    type: event.type,
                    line: id,
                    before: before.owner,
                    after: after.owner
                )
            )
        }
    }
}
