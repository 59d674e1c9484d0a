package import EntitlementDomain

/// Folds events, in log order, into the state of lines and accounts: what the live path does step by step, from nothing.
package struct LogFold: Sendable {
    /// An account in an environment.
    package struct AccountKey: Sendable, Hashable {
        package var environment: StoreEnvironment
        package var account: AccountID

        package init(environment: StoreEnvironment, account: AccountID) {
            self.environment = environment
            self.account = account
        }

        /// Hashes what nearly always tells accounts apart.
        package func hash(into hasher: inout Hasher) { hasher.combine(account) }
    }

    package private(set) var lines: [LineID: LineState] = [:]
    package private(set) var accounts: [AccountKey: AccountState] = [:]

    package init() {}

    /// Applies the next event.
    package mutating func apply(_ event: EventRecord) {
        if let id = event.line {
            lines[id, default: LineState(id: id)].apply(event)
        } else if let account = event.account, let command = event.accountCommand {
            let key = AccountKey(environment: event.environment, account: account)
            accounts[key, default: AccountState()].apply(
                event.type,
                command,
                at: event.recordedAt,
                position: event.position
            )
        }
    }

    /// An account with the lines it owns.
    package func account(_ id: AccountID, in environment: StoreEnvironment) -> Account {
        Account(
            lines: lines.values.filter { $0.owner == id && $0.id.environment == environment },
            state: accounts[AccountKey(environment: environment, account: id)] ?? AccountState()
        )
    }
}
