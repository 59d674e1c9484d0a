import EntitlementDomain
import EventStore

/// `entitled keys list`.
enum KeysListCommand: Command {
    static let words = ["keys", "list"]
    static let summary = "List the API keys, without their secrets."
    static let options = [DatabaseOption.option]

    static func run(_ arguments: ParsedArguments) async throws {
        let now = SystemClock.now()
        for key in try await DatabaseOption.withStore(arguments, { try await $0.keys() }) {
            let state = key.revokedAt != nil ? "revoked" : key.isValid(at: now) ? "in force" : "expired"
            print("\(key.keyID)  \(state)  \(key.scopes.joined(separator: ","))  \(key.createdAt.iso8601)  \(key.name)")
        }
    }
}
