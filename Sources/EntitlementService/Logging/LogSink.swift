import Dispatch
import Synchronization

/// Writes lines on a thread of its own, so that nobody waits for who reads them. When the reader is slower than the
/// service for too long, lines are dropped and counted; memory is bounded.
package final class LogSink: Sendable {
    private struct State {
        var lines: [UInt8] = []
        var isWriting = false
        /// Lines dropped since the last that was written.
        var missing = 0
        var written: UInt64 = 0
        var dropped: UInt64 = 0
    }

    private let state = Mutex(State())
    private let limit: Int
    private let queue = DispatchQueue(label: "entitled.log")
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - limit: the most bytes that wait to be written.
    ///   - write: writes whole lines, and may block.
    package init(limit: Int = 1 << 20, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.limit = limit
        self.write = write
    }

    /// Takes a line. Never waits.
    ///
    /// - Parameter onDrop: makes the line that tells how many are missing, once there is room again.
    func add(_ line: [UInt8], onDrop: (Int) -> [UInt8]) {
        let starts = state.withLock { state in
            guard state.lines.count + line.count <= limit else {
                state.missing += 1
                state.dropped += 1
                return false
            }
            if state.missing > 0 {
                state.lines += onDrop(state.missing)
                state.missing = 0
            }
            state.lines += line
            state.written += 1
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if starts { queue.async { self.drain() } }
    }

    private func drain() {
        while true {
            let lines = state.withLock { state in
                if state.lines.isEmpty { state.isWriting = false }
                defer { state.lines = [] }
                return state.lines
            }
            if lines.isEmpty { return }
            write(lines)
        }
    }

    /// Waits until all that was taken is written, but not for long.
    package func flush(within limit: Duration = .seconds(2)) async {
        let deadline = ContinuousClock.now + limit
        while state.withLock({ $0.isWriting }), ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Lines taken and lines dropped so far.
    var counts: (written: UInt64, dropped: UInt64) { state.withLock { ($0.written, $0.dropped) } }
}
