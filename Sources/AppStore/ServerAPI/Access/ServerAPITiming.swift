package import EntitlementDomain

/// The time of day, waiting and chance, as a client uses them; tests give their own.
package struct ServerAPITiming: Sendable {
    package var now: @Sendable () -> Instant
    /// Waits; throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 up to, not including, 1.
    package var random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }
}
