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
    /// Whether another catalog came into force: that may change any answer.
    package var changesCatalog: Bool
}

extension AppendedChanges {
    init(_ plan: AppendPlan) {
        let epoch = plan.head.logPosition.epoch
        accounts = plan.changedAccounts.map { key, position in
            AccountChange(
                account: key.account,
                environment: key.environment,
                position: LogPosition(epoch: epoch, number: position)
            )
        }
        changesCatalog = !plan.newCatalogs.isEmpty
    }
}
