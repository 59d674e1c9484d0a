import Dispatch
import Glibc

/// Waits for the operator's wish to end: SIGINT or SIGTERM. The next of them ends the process at once, as if nobody had
/// waited.
enum StopSignal {
    static func wait() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let waiter = Waiter(continuation)
            waiter.listen()
        }
    }

    /// Resumes once, whichever signal comes first.
    private final class Waiter: @unchecked Sendable {
        // Guarded by `queue`, on which all handlers run.
        private var continuation: CheckedContinuation<Void, Never>?
        private var sources: [any DispatchSourceSignal] = []
        private let queue = DispatchQueue(label: "entitled.signals")

        init(_ continuation: CheckedContinuation<Void, Never>) {
            self.continuation = continuation
        }

        func listen() {
            queue.sync {
                sources = [SIGINT, SIGTERM].map { number in
                    _ = signal(number, SIG_IGN)
                    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                    source.setEventHandler { self.finish() }
                    source.resume()
                    return source
                }
            }
        }

        private func finish() {
            continuation?.resume()
            continuation = nil
            for source in sources { source.cancel() }
            sources = []
            for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) }
        }
    }
}
