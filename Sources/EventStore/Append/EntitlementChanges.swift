import EntitlementDomain
import Postgres

/// The rows of projection `entitlements` that must be written and those that must go, for any number of lines.
struct EntitlementChanges {
    private var gone: [(line: LineID, entitlement: String)] = []
    private var written: [(line: LineID, interval: EntitlementInterval)] = []
    private var new: [(line: LineID, interval: EntitlementInterval)] = []

    /// Notes what a line has that had no row of any kind.
    mutating func add(new line: LineID, _ intervals: [String: EntitlementInterval]) {
        new += intervals.values.sorted { $0.entitlement < $1.entitlement }.map { (line, $0) }
    }

    /// Notes what changed for one line.
    mutating func add(
        _ line: LineID,
        before: [String: EntitlementInterval],
        after: [String: EntitlementInterval]
    ) {
        gone += before.keys.filter { after[$0] == nil }.sorted().map { (line, $0) }
        for row in after.values.sorted(by: { $0.entitlement < $1.entitlement }) where before[row.entitlement] != row {
            written.append((line, row))
        }
    }

    /// The statements that bring the table there.
    var steps: [PostgresPipelineStep] {
        var steps: [PostgresPipelineStep] = []
        if !gone.isEmpty {
            steps.append(
                PostgresPipelineStep(
                    AppendStatements.deleteEntitlements,
                    LineKeys(gone.map(\.line)).values + [.textArray(gone.map(\.entitlement))]
                )
            )
        }
        for (statement, written) in [
            (AppendStatements.upsertEntitlements, written), (AppendStatements.insertEntitlements, new),
        ] where !written.isEmpty {
            steps.append(
                PostgresPipelineStep(
                    statement,
                    LineKeys(written.map(\.line)).values + [
                        .textArray(written.map(\.interval.entitlement)), .textArray(written.map(\.interval.productID)),
                        .timestamptzArray(written.map(\.interval.startsAt.microseconds)),
                        .timestamptzArray(written.map { $0.interval.accessEndsAt?.microseconds }),
                        .timestamptzArray(written.map { $0.interval.expiresAt?.microseconds }),
                        .timestamptzArray(written.map { $0.interval.revokedAt?.microseconds }),
                    ]
                )
            )
        }
        return steps
    }
}
