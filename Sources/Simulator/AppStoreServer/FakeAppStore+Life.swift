package import EntitlementDomain

/// What customers do.
extension FakeAppStore {
    /// Sells a product to a new customer, or to the one who has bought `customerOf` before.
    ///
    /// - Returns: the transaction id, which is the line's id as well.
    @discardableResult
    package func buy(
        _ product: FakeProduct,
        account: AccountID?,
        customerOf id: String? = nil,
        isFamilyShared: Bool = false,
        in environment: StoreEnvironment = .production
    ) throws(FakeStoreError) -> String {
        try with { state throws(FakeStoreError) in
            try state.buy(
                product,
                account: account,
                customer: id.flatMap { state[environment].customer($0) },
                isFamilyShared: isFamilyShared,
                in: environment
            )
        }
    }

    /// Declines the card of a line's customer, or accepts it again, which charges at once what is open.
    package func setCard(declined: Bool, of line: String, in environment: StoreEnvironment = .production)
        throws(FakeStoreError)
    {
        try with { state throws(FakeStoreError) in try state.setCard(declined: declined, of: line, in: environment) }
    }

    /// Turns renewal of a line on or off.
    package func setAutoRenew(_ isOn: Bool, of line: String, in environment: StoreEnvironment = .production)
        throws(FakeStoreError)
    {
        try with { state throws(FakeStoreError) in try state.setAutoRenew(isOn, of: line, in: environment) }
    }

    /// Moves a line to another product of its group, at once.
    package func upgrade(_ line: String, to product: FakeProduct, in environment: StoreEnvironment = .production)
        throws(FakeStoreError)
    {
        try with { state throws(FakeStoreError) in try state.upgrade(line, to: product, in: environment) }
    }

    /// Moves a line to another product of its group, at the next renewal.
    package func downgrade(_ line: String, to product: FakeProduct, in environment: StoreEnvironment = .production)
        throws(FakeStoreError)
    {
        try with { state throws(FakeStoreError) in try state.downgrade(line, to: product, in: environment) }
    }

    /// Subscribes again after the end.
    package func resubscribe(_ line: String, in environment: StoreEnvironment = .production) throws(FakeStoreError) {
        try with { state throws(FakeStoreError) in try state.resubscribe(line, in: environment) }
    }

    /// Refunds a transaction.
    package func refund(_ transaction: String, in environment: StoreEnvironment = .production) throws(FakeStoreError) {
        try with { state throws(FakeStoreError) in try state.refund(transaction, in: environment) }
    }

    /// Takes a refund back.
    package func reverseRefund(_ transaction: String, in environment: StoreEnvironment = .production)
        throws(FakeStoreError)
    {
        try with { state throws(FakeStoreError) in try state.reverseRefund(transaction, in: environment) }
    }

    /// Asks the company for consumption information about a transaction.
    package func requestConsumption(_ transaction: String, in environment: StoreEnvironment = .production)
        throws(FakeStoreError)
    {
        try with { state throws(FakeStoreError) in try state.requestConsumption(transaction, in: environment) }
    }
}
