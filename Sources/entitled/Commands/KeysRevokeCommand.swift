import EventStore

/// `entitled keys revoke`.
enum KeysRevokeCommand: Command {
    static let words = ["keys", "revoke"]
    static let summary = "Revoke an API key by its id; running services refuse it within seconds."
    static let positional = "ID"
    static let options = [DatabaseOption.option]
    static let discussion = "Connect as the owner of the database; the service's role may not revoke keys."

    static func run(_ arguments: ParsedArguments) async throws {
        guard let keyID = arguments.positional.first, arguments.positional.count == 1 else {
            throw CommandError(.usage, "name one key id; 'entitled keys list' shows them")
        }
        let isRevoked = try await DatabaseOption.withOwner(arguments) { session in
            try session.revokeKey(keyID, at: SystemClock.now())
        }
        guard isRevoked else { throw CommandError(.dataError, "there is no key '\(keyID)' in force") }
        print("revoked \(keyID)")
    }
}
