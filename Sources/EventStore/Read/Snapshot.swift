package import EntitlementDomain

/// The facts of a key as they stand at a position of the log, with the catalog in force there.
package struct Snapshot: Sendable, Hashable {
    package var account: Account
    package var catalog: Catalog
    package var position: LogPosition
}
