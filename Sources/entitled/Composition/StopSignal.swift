import Dispatch
import Glibc
import Synchronization

/// Waits for the operator's wish to end: SIGINT or SIGTERM. The next of them ends the process at once, as if nobody had
/// waited.
final class StopSignal: @unchecked Sendable {
    // Guarded by `queue`, on which all handlers run.
    private var continuation: CheckedContinuation<Void, Never>?
    private var hasCome = false
    private var source: (any DispatchSourceRead)?
    private let numbers: [Int32]
    private let queue = DispatchQueue(label: "entitled.signals")

    /// Where `handler` writes to.
    private static let pipe = Atomic<Int32>(-1)

    /// Only writes a byte, which is all that a signal's handler may do (signal-safety(7)).
    private static let handler: @convention(c) (Int32) -> Void = { _ in
        let before = errno
        var byte: UInt8 = 1
        _ = unsafe write(StopSignal.pipe.load(ordering: .relaxed), &byte, 1)
        errno = before
    }

    /// Listens from now on: a wish that comes while the service starts is kept until it is waited for.
    ///
    /// The signals are caught here and not by a dispatch source, which begins to listen some time after it was asked to:
    /// until then a signal would be lost, when it is ignored, or end the process, when it is not.
    ///
    /// - Parameter andHangUp: also when the terminal is closed, for what runs in one.
    init(andHangUp: Bool = false) {
        numbers = andHangUp ? [SIGINT, SIGTERM, SIGHUP] : [SIGINT, SIGTERM]
        // Never closed: a handler might be writing to it just then.
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        Self.pipe.store(ends[1], ordering: .relaxed)
        queue.sync {
            let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: queue)
            source.setEventHandler { self.finish() }
            source.activate()
            self.source = source
        }
        for number in numbers { _ = signal(number, Self.handler) }
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
        source?.cancel()
        source = nil
        for number in numbers { _ = signal(number, SIG_DFL) }
    }
}
