import EntitlementDomain

extension AppendPlan {
    /// Decides an erasure: for each environment in which the account has a name, an event for each of its lines and one for
    /// the account itself, all under the pseudonym; the name goes.
    ///
    /// - Parameter command: as it came in, with the account itself. Its identity does not count: an erasure that is repeated
    ///   finds nothing to do.
    mutating func erase(_ command: AccountCommand, eventID: () -> AccountID) -> AppendOutcome {
        var outcome = AppendOutcome()
        guard case .account(let account) = command.subject else {
            outcome.refusal = .notFound
            return outcome
        }
        let key = AccountKey(environment: command.environment, account: account)
        let names = context.names.names(of: key)
        if names.isEmpty {
            if !context.names.isErased(key) { outcome.refusal = .notFound }
            return outcome
        }
        let mentions = AccountMentions(in: command.payload)
        for name in names {
            var command = command
            command.environment = name.key.environment
            command.subject = .account(name.pseudonym)
            command.identity = nil
            mentions.replace(in: &command.payload, by: [account: name.pseudonym])
            let lineCount = erase(name, by: command, &outcome, eventID)
            outcome.erasures.append(AppendOutcome.Erasure(environment: name.key.environment, lineCount: lineCount))
        }
        context.names.erase(key)
        return outcome
    }

    /// - Returns: the number of lines that belonged to the account.
    private mutating func erase(
        _ name: AccountName,
        by command: AccountCommand,
        _ outcome: inout AppendOutcome,
        _ eventID: () -> AccountID
    ) -> Int {
        let lines = lines(of: command)
        for before in lines {
            let event = append(record(command, .accountErased, nil, line: before.id, account: name.pseudonym, eventID))
            var after = before
            after.apply(OwnerLink(account: nil, position: event.position))
            context.lines[before.id] = after
            note(before.id, before: before, after: after, at: event.position)
            outcome.events.append(event)
        }
        let key = AccountKey(environment: name.key.environment, account: name.pseudonym)
        let event = append(record(command, .accountErased, nil, line: nil, account: name.pseudonym, eventID))
        var state = account(key)
        state.apply(.accountErased, CommandFacts(), at: context.recordedAt, position: event.position)
        note(key, state: state, at: event.position)
        outcome.events.append(event)
        return lines.count
    }
}
