package import Postgres

/// Brings a database to the schema that this version works with.
package enum SchemaMigrator {
    /// The schema's version that this version of the product needs.
    package static let version = 2

    /// Applies `schema.sql` as the database's owner. Running it again changes nothing.
    ///
    /// - Throws: `StoreError.schemaMismatch` when the database is newer; `PostgresError` when a statement fails: nothing
    ///   of the migration remains then.
    package static func migrate(_ session: PostgresSession) throws {
        if let found = try installedVersion(session), found > version {
            throw StoreError.schemaMismatch(found: found, needed: version)
        }
        try session.execute(String(decoding: PackageResources.schema_sql, as: UTF8.self))
    }

    /// Checks that the database has the schema that is needed.
    ///
    /// - Throws: `StoreError.schemaMismatch` that says what to do.
    package static func check(_ session: PostgresSession) throws {
        let found = try installedVersion(session)
        guard found == version else { throw StoreError.schemaMismatch(found: found, needed: version) }
    }

    private static func installedVersion(_ session: PostgresSession) throws -> Int? {
        let exists = try session.query("SELECT to_regclass('entitled.schema_version') IS NOT NULL")
        guard try exists.bool(0, 0) else { return nil }
        let result = try session.query("SELECT max(version) FROM entitled.schema_version")
        return try result.optionalInt32(0, 0).map(Int.init)
    }
}
