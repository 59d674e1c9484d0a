package import EntitlementDomain

/// The facts of many accounts as they stand at one position of the log, with the catalog in force there.
package struct Snapshots: Sendable {
    /// Every account that was asked for; one that the log does not know is empty.
    package var accounts: [AccountID: Account]
    package var catalog: Catalog
    package var position: LogPosition
}
