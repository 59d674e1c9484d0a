import Synchronization

/// Work that cannot be cancelled, and that nobody waits for longer than a limit.
enum TimeLimited {
    /// Runs work, and returns when it is done or when the limit is over; it goes on by itself then.
    ///
    /// - Returns: whether it was done in time.
    static func run(within limit: Duration, _ work: @escaping @Sendable () async -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            let once = Once(continuation)
            let clock = Task {
                try? await Task.sleep(for: limit)
                once.resume(false)
            }
            Task {
                await work()
                once.resume(true)
                clock.cancel()
            }
        }
    }

    /// A continuation that is resumed by whoever comes first.
    private final class Once: Sendable {
        private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

        init(_ continuation: CheckedContinuation<Bool, Never>) {
            self.continuation = Mutex(continuation)
        }

        func resume(_ value: Bool) {
            let first = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            first?.resume(returning: value)
        }
    }
}
