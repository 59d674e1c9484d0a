package import EntitlementDomain

/// An account whose answer changed, and the position of the log from which on the new one can be read.
package struct AccountChange: Sendable, Hashable {
    package var account: AccountID
    package var environment: StoreEnvironment
    package var position: LogPosition

    package init(account: AccountID, environment: StoreEnvironment, position: LogPosition) {
        self.account = account
        self.environment = environment
        self.position = position
    }
}

/// What one group of appends changed, once it is durable: what an instance must forget at once.
package struct AppendedChanges: Sendable, Hashable {
    package var accounts: [AccountChange]
    /// Whether another catalog came into force, which may change any answer, or an account was erased, whose answers other
    /// instances cannot be told by name.
    package var changesAll: Bool
    /// The places in the change feed that the group gave out: nobody else's are among them.
    package var stretch: FeedStretch

    package init(accounts: [AccountChange], changesAll: Bool = false, stretch: FeedStretch) {
        self.accounts = accounts
        self.changesAll = changesAll
        self.stretch = stretch
    }
}

extension AppendedChanges {
    /// - Parameters:
    ///   - accounts: those behind the pseudonyms that the plan changed, as far as the plan does not know them.
    ///   - feedEnd: where the change feed ends after the group.
    init(_ plan: AppendPlan, accounts named: [AccountID: AccountID], feedEnd: FeedPosition) {
        let epoch = plan.head.logPosition.epoch
        let accounts = plan.changedAccounts.compactMap { key, position -> AccountChange? in
            guard let account = plan.context.names.account(of: key.account) ?? named[key.account] else { return nil }
            return AccountChange(
                account: account,
                environment: key.environment,
                position: LogPosition(epoch: epoch, number: position)
            )
        }
        self.init(
            accounts: accounts,
            changesAll: !plan.newCatalogs.isEmpty || !plan.context.names.newlyErased.isEmpty,
            stretch: FeedStretch(after: plan.context.feedEnd, end: feedEnd)
        )
    }
}
