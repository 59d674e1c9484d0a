import Synchronization

/// A value that is read anew when it is asked for, though not too often, and that nobody waits for too long.
final class Refreshed<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var readAt: ContinuousClock.Instant?
        var isReading = false
    }

    /// How often a reading under way is looked at.
    private static var pause: Duration { .milliseconds(5) }

    private let state = Mutex(State())
    private let lifetime: Duration
    private let read: @Sendable () async -> Value

    /// - Parameter lifetime: how long a value is given again.
    init(for lifetime: Duration, _ read: @escaping @Sendable () async -> Value) {
        self.lifetime = lifetime
        self.read = read
    }

    /// The value and how old it is; nil when there was none yet.
    var last: (value: Value, age: Duration)? {
        state.withLock { state in
            guard let value = state.value, let readAt = state.readAt else { return nil }
            return (value, ContinuousClock.now - readAt)
        }
    }

    /// A value that is at most `lifetime` old, or, when it cannot be read within the limit, nil.
    func value(within limit: Duration) async -> Value? {
        let asked = ContinuousClock.now
        let (fresh, starts) = state.withLock { state -> (Value?, Bool) in
            if let value = state.value, let readAt = state.readAt, asked - readAt < lifetime { return (value, false) }
            defer { state.isReading = true }
            return (nil, !state.isReading)
        }
        if let fresh { return fresh }
        if starts {
            // Goes on when those who asked have given up: the next one finds its value.
            Task {
                let value = await read()
                state.withLock { state in
                    state.value = value
                    state.readAt = .now
                    state.isReading = false
                }
            }
        }
        while true {
            // A reading that had begun before is as good: it was not yet over when this caller came.
            let found = state.withLock { state in
                state.isReading ? nil : state.value
            }
            if let found { return found }
            if ContinuousClock.now - asked >= limit { return nil }
            try? await Task.sleep(for: Self.pause)
            if Task.isCancelled { return nil }
        }
    }
}
