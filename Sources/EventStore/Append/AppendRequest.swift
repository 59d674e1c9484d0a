package import EntitlementDomain

/// One thing to be appended. It has its effect exactly once, whole or not at all.
///
/// Indirect, as a statement has many members: a request goes through several hands, and each takes one reference.
package indirect enum AppendRequest: Sendable {
    /// A signed statement, and the account that claims its line, if any; where it has no line, the account that it is
    /// from.
    case statement(StatementRecord, claim: AccountID?)
    /// A command of the company.
    case command(AccountCommand)
    /// A new catalog, as canonical JSON. Appending the catalog in force again changes nothing.
    case catalog([UInt8])

    /// Whether it is a signed statement.
    var isStatement: Bool {
        if case .statement = self { true } else { false }
    }
}
