/// How sessions are made.
package struct PostgresConfiguration: Sendable {
    /// A libpq connection string, as a URI or as `key=value` words (PostgreSQL manual, section 34.1.1). Several hosts
    /// may be given; `target_session_attrs=read-write` finds the primary among them.
    package var connectionString: String

    /// Shown in `pg_stat_activity`, unless the connection string names one.
    package var applicationName: String

    /// How long one host may take to accept a connection, unless the connection string says `connect_timeout`.
    package var connectTimeout: Duration

    /// How long this side waits for a statement's answer before it gives the session up; nil for ever. It guards
    /// against a network or a server that fell silent. To bound the server's own work set `statement_timeout` as well,
    /// to less.
    package var commandTimeout: Duration?

    /// Settings of the server for the session, for example `["statement_timeout": "30s"]`.
    package var settings: [String: String]

    /// Called for each notice the server sends, on the thread of the session. Nil drops them.
    package var onNotice: (@Sendable (ServerMessage) -> Void)?

    package init(
        connectionString: String,
        applicationName: String = "entitled",
        connectTimeout: Duration = .seconds(5),
        commandTimeout: Duration? = nil,
        settings: [String: String] = [:],
        onNotice: (@Sendable (ServerMessage) -> Void)? = nil
    ) {
        self.connectionString = connectionString
        self.applicationName = applicationName
        self.connectTimeout = connectTimeout
        self.commandTimeout = commandTimeout
        self.settings = settings
        self.onNotice = onNotice
    }
}
