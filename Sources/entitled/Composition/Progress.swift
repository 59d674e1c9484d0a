import EventStore
import Foundation
import Synchronization

/// Shows on standard error how far long work has come: on a terminal a bar in one line that is written over, elsewhere a
/// plain line now and then.
final class Progress: Sendable {
    private struct State {
        var phase = ""
        var startedAt = ContinuousClock.now
        var shownAt: ContinuousClock.Instant?
        var firstDone: Int64 = 0
        var isLineOpen = false
    }

    private let state = Mutex(State())
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let isQuiet: Bool
    private static let plainInterval: Duration = .seconds(10)
    private static let terminalInterval: Duration = .milliseconds(200)

    /// - Parameter isQuiet: nothing is shown.
    init(isQuiet: Bool = false) {
        self.isQuiet = isQuiet
    }

    /// Takes the newest state of the work.
    func show(_ progress: AuditProgress) {
        if isQuiet { return }
        state.withLock { state in
            let now = ContinuousClock.now
            if state.phase != progress.phase {
                closeLine(&state)
                state.phase = progress.phase
                state.startedAt = now
                state.firstDone = progress.done
                state.shownAt = isTerminal || progress.isWait ? nil : now
            }
            let isLast = progress.done >= progress.total
            let interval = isTerminal ? Self.terminalInterval : Self.plainInterval
            if let shownAt = state.shownAt, now - shownAt < interval, !(isLast && isTerminal) { return }
            state.shownAt = now
            let line = text(progress, since: now - state.startedAt, first: state.firstDone)
            if isTerminal {
                write("\r\u{1B}[K\(Self.bar(progress)) \(line)")
                state.isLineOpen = true
            } else {
                write(line + "\n")
            }
        }
    }

    /// Ends an open line, so that what follows begins a new one.
    func finish() {
        state.withLock { closeLine(&$0) }
    }

    private func closeLine(_ state: inout State) {
        if state.isLineOpen { write("\n") }
        state.isLineOpen = false
    }

    private func text(_ progress: AuditProgress, since: Duration, first: Int64) -> String {
        let seconds = Double(since.components.seconds) + Double(since.components.attoseconds) / 1e18
        var text = "\(progress.phase): \(progress.done) of \(progress.total)"
        guard seconds > 0.5 || progress.done >= progress.total, seconds > 0, progress.done > first else { return text }
        let rate = Double(progress.done - first) / seconds
        text += ", \(Int64(rate))/s"
        let left = Int64(Double(progress.total - progress.done) / rate)
        if left > 0 { text += ", \(Self.span(left)) left" }
        return text
    }

    private static let barLength: Int64 = 24

    /// How much of the phase is done, as a bar and in percent.
    private static func bar(_ progress: AuditProgress) -> String {
        let (done, total) = (max(progress.done, 0), max(progress.total, 1))
        let share = min(Double(done) / Double(total), 1)
        let filled = Int(share * Double(barLength))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Int(barLength) - filled)
        let percent = String(Int(share * 100))
        return "[\(bar)] \(String(repeating: " ", count: 3 - percent.count))\(percent) %"
    }

    /// A span of time for people.
    static func span(_ seconds: Int64) -> String {
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
