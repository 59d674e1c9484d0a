extension PostgresConfiguration {
    /// The same connection string for another database of the same server, in the `key=value` form.
    ///
    /// - Throws: `PostgresError` of kind `protocol` for a string libpq cannot read.
    package static func connectionString(
        _ connectionString: String,
        database: String
    ) throws(PostgresError) -> String {
        var values = try ConnectionParameters.parse(connectionString)
        values["dbname"] = database
        return values.sorted { $0.key < $1.key }.map { key, value in
            let quoted = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "\(key)='\(quoted)'"
        }.joined(separator: " ")
    }
}
