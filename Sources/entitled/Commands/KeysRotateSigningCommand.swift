import EntitlementDomain
import EntitlementService
import Foundation

/// `entitled keys rotate-signing`.
enum KeysRotateSigningCommand: Command {
    static let words = ["keys", "rotate-signing"]
    static let summary = "Make a new key that signs the tokens of entitlements.token."
    static let options = [
        Option("directory", "DIR", "the directory that the setting signingKeys names; made when it is not there"),
        Option("after", "DURATION", "how long the key is published before it signs, ISO 8601; default PT10M"),
    ]
    static let discussion = """
        Nothing has to be restarted: every instance reads the directory again within seconds, publishes the new key at
        /.well-known/jwks.json, and signs with it from the time in its file's name on; the first key signs at once. The
        default leaves room for verifiers that keep the key set for its five minutes. Where instances have copies of the
        directory, copy the new file within that time.

        Older keys stay published until their files are removed. No token lives longer than a day, so a file may go a day
        after a newer key has begun to sign. After a theft remove the stolen key's file at once and make a new key with
        --after PT0S: tokens of the old one fail from the moment a verifier reads the key set again.

        Run it as the service's user: only the owner can read the file.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        guard let path = arguments.value("directory"), !path.isEmpty else {
            throw CommandError(.usage, "--directory DIR is needed")
        }
        var overlap = SigningKeyDirectory.overlap
        if let text = arguments.value("after") {
            guard let duration = CalendarDuration(iso8601: text), duration.months == 0 else {
                throw CommandError(.usage, "--after must be an ISO 8601 duration such as PT10M, not '\(text)'")
            }
            overlap = .milliseconds(duration.milliseconds)
        }
        let directory = SigningKeyDirectory(path: path)
        let now = SystemClock.now()
        let key: SigningKey
        do {
            key = try directory.addKey(now: now, overlap: overlap)
        } catch {
            throw CommandError(
                .unavailable,
                "no key can be written to \(path): it must be a directory, or a place for a new one, that this user may write to"
            )
        }
        print("\(key.fileName)  signs from \(key.signsFrom.iso8601)  kid \(key.keyID)")
        let contents = directory.read()
        for name in contents.replaceable(at: now) { print("\(name) may be removed: no valid token is signed with it") }
        for problem in contents.problems { print("warning: \(problem)") }
    }
}
