import EntitlementDomain
import JSON

/// Decides what a group of requests does to the log and to the projections. Pure: no clock, no database.
///
/// The caller holds the log's lock, has read what the requests concern, and writes what the plan says in the same
/// transaction. Requests are decided one after the other, each on the result of those before it.
struct AppendPlan {
    /// What was read from the database under the lock.
    struct Context {
        var head: LogHead
        /// Where the change feed ends.
        var feedEnd = FeedPosition(LogPosition(epoch: 0, number: 0))
        /// The time of recording.
        var recordedAt: Instant
        var catalog: Catalog
        /// The catalog in force as canonical JSON; nil before the first.
        var catalogJSON: [UInt8]?
        var policy: Policy
        /// The lines that the requests concern, as they are: heads, or whole when `earlier` has them.
        var lines: [LineID: LineState]
        /// The rows of table `line_history` of the lines that were read whole, by transaction id.
        var earlier: [LineID: [String: [UInt8]]] = [:]
        /// Which of the requests' statements are in the log already.
        var knownStatements: Set<[UInt8]>
        /// Which of the requests' evidence digests are stored already, as far as that was looked for.
        var knownEvidence: Set<[UInt8]>
        /// The accounts that commands concern, as they are.
        var accounts: [AccountKey: AccountState] = [:]
        /// What the log says of the requests' commands that it has already, by their identity.
        var knownCommands: [[UInt8]: KnownCommand] = [:]
        /// The names of the accounts that the requests concern.
        var names = NameBook()
    }

    /// An account in an environment. In all of the plan the account is a pseudonym; only `NameBook` knows accounts.
    struct AccountKey: Hashable {
        var environment: StoreEnvironment
        var account: AccountID

        /// Hashes what nearly always tells accounts apart.
        func hash(into hasher: inout Hasher) { hasher.combine(account) }
    }

    /// A command that is in the log.
    struct KnownCommand {
        var payload: [UInt8]
        var commandID: AccountID?
    }

    /// A line and an account that owned it.
    struct OwnedLine: Hashable {
        var line: LineID
        var account: AccountID
    }

    var context: Context
    private var original: [LineID: LineState]
    /// The catalog in force before the group.
    let catalogBefore: Catalog

    private(set) var rows: [HashedRow] = []
    private(set) var newStatements: [(id: [UInt8], position: Int64)] = []
    private(set) var newEvidence: [StatementRecord.Evidence] = []
    /// The last event's position for each line that changed.
    private(set) var changedLines: [LineID: Int64] = [:]
    /// The last event's position for each account whose projection changed.
    private(set) var changedAccounts: [AccountKey: Int64] = [:]
    /// The last event's position for each account whose own state changed.
    private(set) var changedStates: [AccountKey: Int64] = [:]
    /// The catalogs that came into force, with their positions.
    private(set) var newCatalogs: [(position: Int64, json: [UInt8])] = []
    /// The accounts that a line was taken from, also those that owned it for a few events of the group only.
    private(set) var formerOwners: Set<OwnedLine> = []
    /// What becomes of the earlier transactions of long lines.
    var historyChanges = LineHistoryChanges()

    init(_ context: Context) {
        self.context = context
        original = context.lines
        catalogBefore = context.catalog
    }

    /// The log's head after the group.
    var head: LogHead { context.head }

    /// The catalog in force after the group.
    var catalog: Catalog { context.catalog }

    /// The state of a line after the group.
    func line(_ id: LineID) -> LineState {
        context.lines[id] ?? LineState(id: id)
    }

    /// Whether a line had no row before the group.
    func isNew(_ id: LineID) -> Bool { original[id] == nil }

    /// The state of a line before the group.
    func lineBefore(_ id: LineID) -> LineState {
        original[id] ?? LineState(id: id)
    }

    /// Decides one request.
    mutating func add(_ request: AppendRequest, eventID: () -> AccountID) -> AppendOutcome {
        context.names.begin()
        var outcome = AppendOutcome()
        do {
            switch request {
            case .statement(let statement, let claim):
                let translated = try context.names.translate(statement, claim: claim)
                outcome = add(translated.statement, claim: translated.claim, eventID: eventID)
            case .command(let command) where command.action == .erase:
                outcome = erase(command, eventID: eventID)
            case .command(let command): outcome = add(try context.names.translate(command), eventID: eventID)
            case .catalog(let json): outcome = add(catalog: json, eventID: eventID)
            }
        } catch {
            outcome.refusal = .accountErased
        }
        if !outcome.events.isEmpty { context.names.keep() }
        outcome.owner = outcome.owner.flatMap { context.names.account(of: $0) }
        return outcome
    }

    // MARK: Statements

    private mutating func add(
        _ statement: StatementRecord,
        claim: AccountID?,
        eventID: () -> AccountID
    ) -> AppendOutcome {
        var outcome = AppendOutcome()
        let isKnown = context.knownStatements.contains(statement.identity)
        guard let lineID = statement.line else {
            if !isKnown {
                // Without a line there is nothing to own: the account is noted with the event, and that is all.
                outcome.events.append(
                    append(statement, type: statement.facts.namedType ?? .received, account: claim, eventID)
                )
            }
            return outcome
        }
        let before = line(lineID)
        var after = before
        let type = before.eventType(for: statement.facts, catalog: context.catalog)
        if !isKnown {
            let announces = type.announces(statement.facts.transaction, isNamed: statement.notificationType != nil)
            after.apply(statement.facts, announces: announces)
        }
        let decision = claim.map { OwnershipDecision.decide(claimBy: $0, on: after, rule: context.policy.ownership) }
        if decision == .conflict {
            outcome.refusal = .ownershipConflict
            return outcome
        }
        if !isKnown {
            let event = append(statement, type: type, eventID)
            context.lines[lineID] = after
            outcome.events.append(event)
            if let productID = statement.facts.transaction?.productID, context.catalog[productID] == nil {
                outcome.unmappedProductID = productID
            }
            note(lineID, before: before, after: after, at: event.position)
        }
        if let claim, decision == .link || decision == .transfer {
            let event = append(link: claim, of: lineID, isTransfer: decision == .transfer, by: statement, eventID)
            let unlinked = after
            after.apply(OwnerLink(account: claim, position: event.position))
            context.lines[lineID] = after
            outcome.events.append(event)
            note(lineID, before: unlinked, after: after, at: event.position)
        }
        outcome.owner = after.owner
        return outcome
    }

    mutating func note(_ id: LineID, before: LineState, after: LineState, at position: Int64) {
        changedLines[id] = position
        guard before != after else { return }
        if let owner = before.owner, owner != after.owner { formerOwners.insert(OwnedLine(line: id, account: owner)) }
        for owner in Set([before.owner, after.owner].compactMap(\.self)) {
            changedAccounts[AccountKey(environment: id.environment, account: owner)] = position
        }
    }

    private mutating func append(
        _ statement: StatementRecord,
        type: EventType,
        account: AccountID? = nil,
        _ eventID: () -> AccountID
    ) -> AppendOutcome.Event {
        context.knownStatements.insert(statement.identity)
        newStatements.append((statement.identity, context.head.position + 1))
        for evidence in statement.evidence where context.knownEvidence.insert(evidence.digest).inserted {
            newEvidence.append(evidence)
        }
        return append(
            EventRecord(
                position: context.head.position + 1,
                eventID: eventID(),
                type: type,
                store: .appStore,
                environment: statement.environment,
                bundleID: statement.bundleID,
                lineID: statement.line?.originalTransactionID,
                account: account,
                signedAt: statement.signedAt,
                recordedAt: context.recordedAt,
                source: statement.source,
                statementID: statement.identity,
                notificationType: statement.notificationType,
                notificationSubtype: statement.notificationSubtype,
                transaction: statement.line == nil ? nil : statement.facts.transaction,
                renewal: statement.line == nil ? nil : statement.facts.renewal,
                lineOwnership: statement.line?.ownership ?? .purchased,
                evidenceDigests: statement.evidence.map(\.digest),
                payload: statement.payload
            )
        )
    }

    private mutating func append(
        link account: AccountID,
        of line: LineID,
        isTransfer: Bool,
        by statement: StatementRecord,
        _ eventID: () -> AccountID
    ) -> AppendOutcome.Event {
        let payload: JSONValue = [
            "account": .string(account.description), "claimedBy": .string(statement.source.rawValue),
        ]
        return append(
            EventRecord(
                position: context.head.position + 1,
                eventID: eventID(),
                type: isTransfer ? .accountTransferred : .accountLinked,
                store: .appStore,
                environment: line.environment,
                bundleID: line.bundleID,
                lineID: line.originalTransactionID,
                account: account,
                recordedAt: context.recordedAt,
                source: statement.source,
                statementID: statement.identity,
                lineOwnership: line.ownership,
                evidenceDigests: statement.evidence.map(\.digest).filter { context.knownEvidence.contains($0) },
                payload: payload.canonicalBytes()
            )
        )
    }

    // MARK: Catalog

    private mutating func add(catalog json: [UInt8], eventID: () -> AccountID) -> AppendOutcome {
        var outcome = AppendOutcome()
        guard json != context.catalogJSON, let catalog = try? CatalogDocument.read(json).catalog else { return outcome }
        let event = append(
            EventRecord(
                position: context.head.position + 1,
                eventID: eventID(),
                type: .catalogChanged,
                store: .grant,
                environment: StoreEnvironment(rawValue: ""),
                recordedAt: context.recordedAt,
                source: .operator,
                statementID: [],
                payload: json
            )
        )
        context.catalog = catalog
        context.catalogJSON = json
        newCatalogs.append((event.position, json))
        outcome.events.append(event)
        return outcome
    }

    /// The account as it is after the requests so far.
    func account(_ key: AccountKey) -> AccountState {
        context.accounts[key] ?? AccountState()
    }

    /// Notes an account whose own state an event changed.
    mutating func note(_ key: AccountKey, state: AccountState, at position: Int64) {
        context.accounts[key] = state
        changedStates[key] = position
        changedAccounts[key] = position
    }

    /// Notes that a command is in the log from now on.
    mutating func note(_ command: AccountCommand, commandID: AccountID?, at position: Int64) {
        guard let identity = command.identity else { return }
        newStatements.append((identity, position))
        context.knownCommands[identity] = KnownCommand(payload: command.payload, commandID: commandID)
    }

    mutating func append(_ event: EventRecord) -> AppendOutcome.Event {
        let row = EventRow(event)
        let hash = row.hash(after: context.head.hash)
        rows.append(HashedRow(row: row, hash: hash))
        context.head.position = event.position
        context.head.hash = hash
        return AppendOutcome.Event(position: event.position, id: event.eventID, type: event.type)
    }
}
