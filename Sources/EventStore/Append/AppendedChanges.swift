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
}

extension AppendedChanges {
    /// - Parameter accounts: those behind the pseudonyms that the plan changed, as far as the plan does not know them.
    init(_ plan: AppendPlan, accounts named: [AccountID: AccountID]) {
        let epoch = plan.head.logPosition.epoch
        accounts = plan.changedAccounts.compactMap { key, position in
            guard let account = plan.context.names.account(of: key.account) ?? named[key.account] else { return nil }
            return AccountChange(
                account: account,
                environment: key.environment,
                position: LogPosition(epoch: epoch, number: position)
            )
        }
        changesAll = !plan.newCatalogs.isEmpty || !plan.context.names.newlyErased.isEmpty
    }
}
