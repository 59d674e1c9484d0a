/// The lines that accounts own or have owned, as a part of other statements.
enum LinesEverOwned {
    /// Selects their keys, each once.
    ///
    /// - Parameters:
    ///   - accounts: what the column is compared with, `= $1::uuid` or `= ANY($1::uuid[])`; pseudonyms.
    ///   - environment: an expression.
    static func keys(of accounts: String, in environment: String) -> String {
        """
        SELECT line_id, environment, bundle_id, store, ownership FROM entitled.lines
        WHERE owner \(accounts) AND environment = \(environment)
        UNION SELECT line_id, environment, bundle_id, store, ownership FROM entitled.former_owners
        WHERE account \(accounts) AND environment = \(environment)
        """
    }
}
