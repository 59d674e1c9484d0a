import EntitlementDomain
import Synchronization

/// Hands out ranges in order to those who check them, and puts together what they found.
///
/// Once a fault is known nothing behind it is handed out; what lies before it was handed out already, so that the fault
/// that remains is the first one.
final class ChainWork: Sendable {
    private struct State {
        var next: Int64
        var outcomes: [Int64: ChainChunk.Outcome] = [:]
        var hasProblem = false
        var done: Int64 = 0
    }

    private let plan: ChainPlan
    private let length: Int64
    private let state: Mutex<State>

    init(plan: ChainPlan, length: Int64) {
        self.plan = plan
        self.length = length
        state = Mutex(State(next: plan.from))
    }

    /// The next range, with the hash before it when that is not the stored one.
    func next() -> (range: ClosedRange<Int64>, previous: [UInt8]?)? {
        state.withLock { state in
            if state.hasProblem || state.next > plan.to { return nil }
            let first = state.next
            let last = min(first + length - 1, plan.to)
            state.next = last + 1
            return (first...last, first == plan.from ? plan.previous : nil)
        }
    }

    func finish(_ outcome: ChainChunk.Outcome) {
        state.withLock { state in
            state.outcomes[outcome.range.lowerBound] = outcome
            state.done += Int64(outcome.range.count)
            if outcome.problem != nil { state.hasProblem = true }
        }
    }

    var progress: AuditProgress {
        AuditProgress(
            phase: "checking the chain",
            done: state.withLock { $0.done },
            total: plan.to - plan.from + 1
        )
    }

    /// To be asked for at the end.
    var report: ChainReport {
        var report = ChainReport(from: plan.from, to: plan.to, head: plan.head.logPosition)
        if let previous = plan.previous { report.lastHash = previous }
        var before: ChainChunk.Outcome?
        for outcome in state.withLock({ $0.outcomes.values.sorted { $0.range.lowerBound < $1.range.lowerBound } }) {
            report.eventCount += outcome.eventCount
            report.evidenceCount += outcome.evidenceCount
            report.signatureCount += outcome.signatureCount
            report.unverifiedCount += outcome.unverifiedCount
            report.erasedCount += outcome.erasedCount
            report.note(outcome.problem)
            // Two ranges are read one after the other: what one ended with must be what the next one began with.
            if let before, before.problem == nil, before.endHash != outcome.startHash {
                report.note(
                    ChainProblem(
                        position: before.range.upperBound,
                        kind: .hashMismatch,
                        message: "its hash was changed while the log was checked"
                    )
                )
            }
            if let hash = outcome.endHash { report.lastHash = hash }
            before = outcome
        }
        if report.problem == nil { report.note(plan.problemAtEnd(report.lastHash)) }
        return report
    }
}
