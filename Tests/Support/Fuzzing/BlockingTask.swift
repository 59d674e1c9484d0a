import Dispatch
import Synchronization

/// Waits for asynchronous work on a thread that may block: that of a fuzzer, or of a test's own.
enum BlockingTask {
    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
        let isThere = DispatchSemaphore(value: 0)
    }

    /// - Returns: nil when the work takes more than ten seconds.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value? {
        let box = Box<Value>()
        Task {
            let value = await work()
            box.value.withLock { $0 = value }
            box.isThere.signal()
        }
        guard box.isThere.wait(timeout: .now() + 10) == .success else { return nil }
        return box.value.withLock { $0 }
    }
}
