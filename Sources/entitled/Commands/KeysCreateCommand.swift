import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore

/// `entitled keys create`.
enum KeysCreateCommand: Command {
    static let words = ["keys", "create"]
    static let summary = "Make an API key and print it, once."
    static let options = [
        DatabaseOption.option,
        Option("name", "TEXT", "what the key is for"),
        Option("scopes", "LIST", "comma-separated: read, submit, admin, audit; default read"),
        Option("expires", "TIME", "ISO 8601 time after which it opens nothing; default never"),
        Option("rate", "N", "calls a second it may make on each instance; default any number"),
    ]
    static let discussion = """
        Connect as the owner of the database; the role that the service runs as may not make keys.

        Only a digest of the key is stored: a key that is lost cannot be shown again, only replaced.

        To replace a key without downtime make a new one, give it to whoever uses the old one (both are in force), wait
        until 'entitled keys list' shows no use of the old one any more, and revoke that.

        A rate is charged for every call, each call of a batch too. Beyond it a call is answered with the error
        rateLimited, whose data.retryAfterMs says when the next one may be made.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        guard let name = arguments.value("name"), !name.isEmpty else {
            throw CommandError(.usage, "--name TEXT is needed")
        }
        let names = (arguments.value("scopes") ?? "read").split(separator: ",").map(String.init)
        let scopes = names.compactMap(Scope.init(rawValue:))
        guard !scopes.isEmpty, scopes.count == names.count else {
            throw CommandError(.usage, "--scopes takes a comma-separated list of read, submit, admin and audit")
        }
        var expiresAt: Instant?
        if let text = arguments.value("expires") {
            expiresAt = Instant(iso8601: text)
            if expiresAt == nil { throw CommandError(.usage, "--expires must be an ISO 8601 time, not '\(text)'") }
        }
        let rate = try arguments.integer("rate", in: 1...1_000_000)
        let key = try APIKey.make()
        let record = key.record(
            name: name,
            scopes: Set(scopes),
            createdAt: SystemClock.now(),
            expiresAt: expiresAt,
            callsPerSecond: rate
        )
        try await DatabaseOption.withOwner(arguments) { try $0.addKey(record) }
        print(key.text)
    }
}
