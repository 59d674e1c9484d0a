import EventStore

/// `entitled keys revoke`.
enum KeysRevokeCommand: Command {
    static let words = ["keys", "revoke"]
    static let summary = "Revoke an API key by its id; running services refuse it within seconds."
    static let positional = "ID"
    static let options = [DatabaseOption.option]

    static func run(_ arguments: ParsedArguments) async throws {
        guard let keyID = arguments.positional.first, arguments.positional.count == 1 else {
            throw CommandError(.usage, "name one key id; 'entitled keys list' shows them")
        }
        let isRevoked = try await DatabaseOption.withStore(arguments) {
            try await $0.revokeKey(keyID, at: SystemClock.now())
        }
        guard isRevoked else { throw CommandError(.dataError, "there is no key '\(keyID)' in force") }
        print("revoked \(keyID)")
    }
}
