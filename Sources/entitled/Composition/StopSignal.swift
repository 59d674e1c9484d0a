import Dispatch
import Glibc

/// Waits for the operator's wish to end: SIGINT or SIGTERM. The next of them ends the process at once, as if nobody had
/// waited.
final class StopSignal: @unchecked Sendable {
    // Guarded by `queue`, on which all handlers run.
    private var continuation: CheckedContinuation<Void, Never>?
    private var hasCome = false
    private var sources: [any DispatchSourceSignal] = []
    private let numbers: [Int32]
    private let queue = DispatchQueue(label: "entitled.signals")

    /// Listens from now on: a wish that comes while the service starts is kept until it is waited for.
    ///
    /// - Parameter andHangUp: also when the terminal is closed, for what runs in one.
    init(andHangUp: Bool = false) {
        numbers = andHangUp ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM]
        queue.sync {
            sources = numbers.map { number in
                _ = signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { self.finish() }
                source.resume()
                return source
            }
        }
    }

    /// Waits for the first signal since this object was made; once.
    func wait() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                if self.hasCome { return continuation.resume() }
                self.continuation = continuation
            }
        }
    }

    /// Waits for a signal.
    static func wait(andHangUp: Bool = false) async {
        await StopSignal(andHangUp: andHangUp).wait()
    }

    private func finish() {
        hasCome = true
        continuation?.resume()
        continuation = nil
        for source in sources { source.cancel() }
        sources = []
        for number in numbers { _ = signal(number, SIG_DFL) }
    }
}
