import EntitlementDomain
import Synchronization

/// Collects what several sessions find; keeps the first differences and counts all.
final class ReplayFindings: Sendable {
    private struct State {
        var lines: Int64 = 0
        var accounts: Int64 = 0
        var count: Int64 = 0
        var kept: [ProjectionDifference] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ differences: [ProjectionDifference], lines: Int64 = 0, accounts: Int64 = 0) {
        state.withLock { state in
            state.lines += lines
            state.accounts += accounts
            state.count += Int64(differences.count)
            state.kept += differences.prefix(max(limit - state.kept.count, 0))
        }
    }

    func report(at position: LogPosition, events: Int64) -> ReplayReport {
        state.withLock { state in
            ReplayReport(
                position: position,
                eventCount: events,
                lineCount: state.lines,
                accountCount: state.accounts,
                differenceCount: state.count,
                differences: state.kept.sorted { Self.key($0) < Self.key($1) }
            )
        }
    }

    private static func key(_ difference: ProjectionDifference) -> (String, String, String, String) {
        (
            difference.line?.originalTransactionID ?? "~", difference.environment?.rawValue ?? "",
            difference.account?.description ?? "", difference.table.rawValue + difference.field
        )
    }
}
