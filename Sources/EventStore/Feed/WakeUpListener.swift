import Postgres

/// Hears when another instance has written: LISTEN on a session of its own. What is heard only makes this instance look, so a
/// pooler that loses notifications, or a standby, which hears none, costs a little time and nothing else.
struct WakeUpListener: Sendable {
    /// The channel that wake-ups are sent on.
    static let channel = "entitled_feed"

    private let thread: PostgresThread

    init(_ configuration: PostgresConfiguration) {
        thread = PostgresThread(configuration, label: "entitled.listen") { try $0.listen(Self.channel) }
    }

    /// Listens until the task is cancelled.
    func run(_ onWakeUp: @escaping @Sendable () -> Void) async {
        while !Task.isCancelled {
            do {
                let heard = try await thread.run { try $0.waitForNotifications(timeout: .seconds(20)) }
                if !heard.isEmpty { onWakeUp() }
            } catch {
                // Whatever was sent meanwhile is found by looking.
                onWakeUp()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        await thread.close()
    }
}
