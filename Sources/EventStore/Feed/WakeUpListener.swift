import Postgres
import Synchronization

/// Hears when another instance has written: LISTEN on a session of its own. What is heard only makes this instance look. A
/// standby takes no LISTEN (PostgreSQL manual, "Hot Standby"): there is nothing to hear until it is promoted, and the feed is
/// looked at more often.
final class WakeUpListener: Sendable {
    /// The channel that wake-ups are sent on.
    static let channel = "entitled_feed"

    /// How often a standby is asked whether it is one still.
    private static let standbyInterval: Duration = .seconds(1)

    private let thread: PostgresThread
    /// The number of the session that listens, as `PostgresThread` counts them.
    private let listening = Atomic(0)

    init(_ configuration: PostgresConfiguration) {
        thread = PostgresThread(configuration, label: "entitled.listen")
    }

    /// Listens until the task is cancelled.
    func run(_ onWakeUp: @escaping @Sendable () -> Void) async {
        while !Task.isCancelled {
            do {
                if try await thread.run({ try self.listens($0) }) {
                    let heard = try await thread.run { try $0.waitForNotifications(timeout: .seconds(20)) }
                    if !heard.isEmpty { onWakeUp() }
                } else {
                    try? await Task.sleep(for: Self.standbyInterval)
                }
            } catch {
                // Whatever was sent meanwhile is found by looking.
                onWakeUp()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        await thread.close()
    }

    /// Begins to listen on a session that does not yet.
    ///
    /// - Returns: false on a standby.
    private func listens(_ session: PostgresSession) throws -> Bool {
        let number = thread.connectCount
        if listening.load(ordering: .relaxed) == number { return true }
        if try session.query("SELECT pg_is_in_recovery()").bool(0, 0) { return false }
        try session.listen(Self.channel)
        listening.store(number, ordering: .relaxed)
        return true
    }
}
