/// What kind of private server is wanted.
package struct EmbeddedPostgresOptions: Sendable {
    /// Where the cluster lies. Made when missing; a cluster found there is used as it is.
    package var dataDirectory: String
    /// Whether a commit survives a crash. Off, for tests, trades that for speed: no fsync, and the data directory is
    /// removed with the `EmbeddedPostgres` object, or when the process that started it ends.
    package var isDurable: Bool
    /// The role the cluster is made with, a superuser, and the owner of `database`.
    package var owner: String
    /// A database to be made when missing.
    package var database: String
    /// Further settings for the server's command line, for example `["max_connections": "50"]`.
    package var settings: [String: String]
    /// How long the server may take to start, crash recovery included, and to stop.
    package var timeout: Duration

    package init(
        dataDirectory: String,
        isDurable: Bool = true,
        owner: String = "entitled",
        database: String = "entitled",
        settings: [String: String] = [:],
        timeout: Duration = .seconds(60)
    ) {
        self.dataDirectory = dataDirectory
        self.isDurable = isDurable
        self.owner = owner
        self.database = database
        self.settings = settings
        self.timeout = timeout
    }

    /// A server for tests: nothing of it outlives the process.
    package static func throwaway(dataDirectory: String, database: String = "entitled") -> EmbeddedPostgresOptions {
        EmbeddedPostgresOptions(dataDirectory: dataDirectory, isDurable: false, database: database)
    }

    /// The settings of the server, in the order of their precedence from the weakest.
    ///
    /// `wal_level=minimal` and no senders let a throwaway server skip the log where it can.
    func serverSettings(socketDirectory: String) -> [(String, String)] {
        var values: [String: String] =
            isDurable
            ? [:]
            : [
                "fsync": "off",
                "full_page_writes": "off",
                "synchronous_commit": "off",
                "shared_buffers": "32MB",
                "max_wal_senders": "0",
                "wal_level": "minimal",
                "autovacuum_naptime": "10min",
            ]
        values.merge(settings) { _, given in given }
        // Reached through the file system only: see `EmbeddedPostgres`.
        values["listen_addresses"] = ""
        values["unix_socket_directories"] = socketDirectory
        values["unix_socket_permissions"] = "0700"
        return values.sorted { $0.key < $1.key }
    }
}
