import EntitlementDomain
import EventStore

/// `entitled keys list`.
enum KeysListCommand: Command {
    static let words = ["keys", "list"]
    static let summary = "List the API keys, without their secrets, and when each was last used."
    static let options = [DatabaseOption.option]

    static func run(_ arguments: ParsedArguments) async throws {
        let now = SystemClock.now()
        for key in try await DatabaseOption.withStore(arguments, { try await $0.keys() }) {
            let state = key.revokedAt != nil ? "revoked" : key.isValid(at: now) ? "in force" : "expired"
            var parts = [key.keyID, state, key.scopes.joined(separator: ","), "made \(key.createdAt.iso8601)"]
            parts.append(key.lastUsedAt.map { "used \($0.iso8601)" } ?? "never used")
            if let expiresAt = key.expiresAt { parts.append("expires \(expiresAt.iso8601)") }
            if let rate = key.callsPerSecond { parts.append("\(rate) calls/s") }
            print((parts + [key.name]).joined(separator: "  "))
        }
    }
}
