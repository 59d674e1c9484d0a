import EntitlementDomain

extension AppendPlan {
    /// Decides one command.
    mutating func add(_ command: AccountCommand, eventID: () -> AccountID) -> AppendOutcome {
        var outcome = AppendOutcome()
        if let identity = command.identity, let known = context.knownCommands[identity] {
            if known.payload != command.payload { outcome.refusal = .idempotencyMismatch }
            outcome.commandID = known.commandID
            return outcome
        }
        switch command.action {
        case .spend(let currency, let units): spend(units, of: currency, by: command, &outcome, eventID)
        case .issueGrant(let entitlement, let startsAt, let endsAt):
            let facts = CommandFacts(
                id: eventID(),
                entitlement: entitlement,
                startsAt: startsAt ?? context.recordedAt,
                endsAt: endsAt
            )
            change(command, .grantIssued, facts, &outcome, eventID)
        case .revokeGrant(let id):
            let isThere = accountKey(of: command).map { key in
                account(key).grants.contains { $0.id == id && $0.revokedAt == nil }
            }
            if isThere == true {
                change(command, .grantRevoked, CommandFacts(id: id), &outcome, eventID)
            } else {
                outcome.refusal = .notFound
            }
        case .placeHold(let entitlement):
            change(command, .holdPlaced, CommandFacts(id: eventID(), entitlement: entitlement), &outcome, eventID)
        case .liftHold(let id): lift(id, by: command, &outcome, eventID)
        case .link(let account): own(command, account: account, isTransfer: false, &outcome, eventID)
        case .transfer(let account): own(command, account: account, isTransfer: true, &outcome, eventID)
        case .erase: break  // erase(_:eventID:)
        }
        return outcome
    }

    func accountKey(of command: AccountCommand) -> AccountKey? {
        guard case .account(let account) = command.subject else { return nil }
        return AccountKey(environment: command.environment, account: account)
    }

    /// The lines that a command is about, sorted.
    func lines(of command: AccountCommand) -> [LineState] {
        context.lines.values.filter { line in
            guard line.id.environment == command.environment, !line.isEmpty else { return false }
            switch command.subject {
            case .account(let account): return line.owner == account
            case .line(let id): return line.id.originalTransactionID == id
            }
        }.sorted { $0.id < $1.id }
    }

    private mutating func spend(
        _ units: Int64,
        of currency: String,
        by command: AccountCommand,
        _ outcome: inout AppendOutcome,
        _ eventID: () -> AccountID
    ) {
        guard let key = accountKey(of: command) else { return }
        let account = Account(lines: lines(of: command), state: account(key))
        var horizon = ChangeHorizon(after: context.recordedAt)
        let balances = account.balances(catalog: context.catalog, policy: context.policy, horizon: &horizon)
        let available = balances[currency, default: 0]
        guard available >= units else {
            outcome.refusal = .insufficientBalance(available: available)
            return
        }
        change(command, .creditSpent, CommandFacts(currency: currency, units: units), &outcome, eventID)
    }

    private mutating func lift(
        _ id: AccountID,
        by command: AccountCommand,
        _ outcome: inout AppendOutcome,
        _ eventID: () -> AccountID
    ) {
        let holds: [Hold]
        switch command.subject {
        case .account: holds = accountKey(of: command).map { account($0).holds } ?? []
        case .line: holds = lines(of: command).flatMap(\.holds)
        }
        guard holds.contains(where: { $0.id == id && $0.liftedAt == nil }) else {
            outcome.refusal = .notFound
            return
        }
        change(command, .holdLifted, CommandFacts(id: id), &outcome, eventID)
    }

    /// Appends the event of a command and folds it into the account, or into the lines, that it is about.
    private mutating func change(
        _ command: AccountCommand,
        _ type: EventType,
        _ facts: CommandFacts,
        _ outcome: inout AppendOutcome,
        _ eventID: () -> AccountID
    ) {
        if let key = accountKey(of: command) {
            let event = append(record(command, type, facts, line: nil, account: key.account, eventID))
            var state = account(key)
            state.apply(type, facts, at: context.recordedAt, position: event.position)
            note(key, state: state, at: event.position)
            outcome.events.append(event)
        } else {
            for before in lines(of: command) {
                if type == .holdLifted, !before.holds.contains(where: { $0.id == facts.id }) { continue }
                let event = append(record(command, type, facts, line: before.id, account: nil, eventID))
                var after = before
                after.apply(hold: type, facts, at: context.recordedAt)
                context.lines[before.id] = after
                note(before.id, before: before, after: after, at: event.position)
                outcome.events.append(event)
            }
            if outcome.events.isEmpty { outcome.refusal = .notFound }
        }
        outcome.commandID = facts.id
        if let first = outcome.events.first { note(command, commandID: facts.id, at: first.position) }
    }

    /// Links or transfers the lines of a command to an account.
    private mutating func own(
        _ command: AccountCommand,
        account: AccountID,
        isTransfer: Bool,
        _ outcome: inout AppendOutcome,
        _ eventID: () -> AccountID
    ) {
        let lines = lines(of: command)
        if lines.isEmpty {
            outcome.refusal = .notFound
            return
        }
        if !isTransfer, lines.contains(where: { $0.isErased || $0.owner != nil && $0.owner != account }) {
            outcome.refusal = .ownershipConflict
            return
        }
        for before in lines where before.owner != account || before.link == nil {
            let isOwned = before.owner != nil || before.isErased
            let type: EventType = isTransfer && isOwned ? .accountTransferred : .accountLinked
            let event = append(record(command, type, nil, line: before.id, account: account, eventID))
            var after = before
            after.apply(OwnerLink(account: account, position: event.position))
            context.lines[before.id] = after
            note(before.id, before: before, after: after, at: event.position)
            outcome.events.append(event)
        }
        outcome.owner = account
        if let first = outcome.events.first { note(command, commandID: nil, at: first.position) }
    }

    func record(
        _ command: AccountCommand,
        _ type: EventType,
        _ facts: CommandFacts?,
        line: LineID?,
        account: AccountID?,
        _ eventID: () -> AccountID
    ) -> EventRecord {
        EventRecord(
            position: context.head.position + 1,
            eventID: eventID(),
            type: type,
            store: line?.store ?? .grant,
            environment: command.environment,
            bundleID: line?.bundleID,
            lineID: line?.originalTransactionID,
            account: account,
            recordedAt: context.recordedAt,
            source: .operator,
            statementID: command.identity ?? [],
            command: facts,
            lineOwnership: line?.ownership ?? .purchased,
            payload: command.payload
        )
    }
}
