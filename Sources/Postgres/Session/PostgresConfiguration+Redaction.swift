extension PostgresConfiguration {
    /// A connection string for people to read: in the `key=value` form, without what is secret in it.
    package static func redacted(_ connectionString: String) -> String {
        guard let values = try? ConnectionParameters.parse(connectionString) else { return "(not readable)" }
        return values.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.key.contains("password") ? "…" : $0.value)" }
            .joined(separator: " ")
    }
}
