import EntitlementDomain
import Postgres
import Synchronization

/// The catalog in force, kept in memory and read again when the log names a newer one.
final class CatalogCache: Sendable {
    /// A catalog and where it came into force.
    struct Entry: Sendable {
        var position: Int64
        var catalog: Catalog
        /// As canonical JSON; nil before the first catalog.
        var json: [UInt8]?
    }

    private static let find = PreparedStatement("SELECT catalog FROM entitled.catalogs WHERE position = $1::bigint")

    private let entry = Mutex(Entry(position: 0, catalog: .empty, json: nil))

    /// The catalog in force, which came into force at a position; 0: none yet. It is kept.
    ///
    /// - Throws: `StoreError.failed` when the log names a catalog that is missing or unreadable.
    func catalog(at position: Int64, _ session: PostgresSession) throws -> Entry {
        if let known = known(at: position) { return known }
        let found = try document(at: position, session)
        entry.withLock { entry in
            if found.position > entry.position { entry = found }
        }
        return found
    }

    /// The catalog that came into force at a position, when it is the one that is kept.
    func known(at position: Int64) -> Entry? {
        let known = entry.withLock { $0 }
        return known.position == position ? known : nil
    }

    /// The catalog that came into force at a position, read from the database.
    ///
    /// - Throws: as `catalog(at:_:)`.
    func document(at position: Int64, _ session: PostgresSession) throws -> Entry {
        if position == 0 { return Entry(position: 0, catalog: .empty, json: nil) }
        let result = try session.query(Self.find, [.int8(position)])
        guard result.rowCount == 1 else {
            throw StoreError.failed("the catalog of position \(position) is missing; run 'entitled rebuild'")
        }
        do {
            let document = try CatalogDocument.read(try result.json(0, 0))
            return Entry(position: position, catalog: document.catalog, json: document.canonicalJSON)
        } catch let error as CatalogError {
            throw StoreError.failed("the catalog of position \(position) cannot be read: \(error)")
        }
    }
}
