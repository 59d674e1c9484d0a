/// What an API key may do. The raw values are stored with the key.
package enum Scope: String, Sendable, Hashable, CaseIterable {
    /// Look up entitlements, balances, purchases and changes.
    case read
    /// Hand in signed statements and spend credits.
    case submit
    /// Change ownership, grants, holds and the catalog.
    case admin
    /// Read the log itself and check it.
    case audit
}
