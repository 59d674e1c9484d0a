import EventStore

/// `entitled migrate`.
enum MigrateCommand: Command {
    static let words = ["migrate"]
    static let summary = "Bring a database to the schema of this version."
    static let options = [DatabaseOption.option]
    static let discussion = """
        Connect as the owner of the database: the schema and the role entitled_service are made, which the service runs
        as. Running it again changes nothing; a database that is newer than this version is refused.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let database = try DatabaseOption.connectionString(arguments)
        try await DatabaseOption.withSession(database) { try SchemaMigrator.migrate($0) }
        print("the schema is at version \(SchemaMigrator.version)")
    }
}
