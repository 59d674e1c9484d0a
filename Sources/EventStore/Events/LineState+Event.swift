package import EntitlementDomain

extension LineState {
    /// Applies the next event that concerns this line.
    ///
    /// - Returns: whether the state is another one now.
    @discardableResult
    package mutating func apply(_ event: EventRecord) -> Bool {
        var isChanged = apply(
            StatementFacts(transaction: event.transaction, renewal: event.renewal),
            announces: event.type.announces(event.transaction, isNamed: event.notificationType != nil)
        )
        if event.type == .accountLinked || event.type == .accountTransferred {
            isChanged = apply(OwnerLink(account: event.account, position: event.position)) || isChanged
        }
        if event.type == .accountErased {
            isChanged = apply(OwnerLink(account: nil, position: event.position)) || isChanged
        }
        if let command = event.command {
            isChanged = apply(hold: event.type, command, at: event.recordedAt) || isChanged
        }
        return isChanged
    }
}
