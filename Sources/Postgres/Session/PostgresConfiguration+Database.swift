extension PostgresConfiguration {
    /// A connection string for the same server, as another role or for another database, in the `key='value'` form.
    ///
    /// - Parameters:
    ///   - connectionString: a libpq connection string in either form.
    ///   - database: the database instead of the one named; nil keeps it.
    ///   - user: the role instead of the one named; nil keeps it. Another role loses the password.
    /// - Throws: `PostgresError` of kind `protocol` for a string libpq cannot read.
    package static func connectionString(
        _ connectionString: String,
        database: String? = nil,
        user: String? = nil
    ) throws(PostgresError) -> String {
        var values = try ConnectionParameters.parse(connectionString)
        if let database { values["dbname"] = database }
        if let user, user != values["user"] {
            values["user"] = user
            values["password"] = nil
        }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\(quote($0.value))" }.joined(separator: " ")
    }

    /// In single quotes, with a backslash before quotes and backslashes (PostgreSQL manual, section 34.1.1.1).
    private static func quote(_ value: String) -> String {
        "'" + value.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
