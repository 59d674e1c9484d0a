import EntitlementDomain
import EventStore
import JSON

/// Findings of an audit as text and as JSON.
enum AuditText {
    /// A difference in one line of text.
    static func text(_ difference: ProjectionDifference) -> String {
        var parts: [String] = []
        if let line = difference.line {
            parts.append("line \(line.originalTransactionID) (\(line.environment.rawValue), \(line.bundleID)")
            parts[0] += line.ownership == .familyShared ? ", family shared)" : ")"
        }
        if let account = difference.account {
            let environment = difference.line == nil ? " (\(difference.environment?.rawValue ?? ""))" : ""
            parts.append("account \(account)\(environment)")
        }
        if difference.table == .catalogs { parts.append("catalog") }
        if let entitlement = difference.entitlement { parts.append(entitlement) }
        parts.append(difference.field == "row" ? difference.table.rawValue : difference.field)
        return "\(parts.joined(separator: ", ")): live: \(difference.live ?? "not there"); "
            + "replayed: \(difference.replayed ?? "not there"); "
            + "events \(difference.events.map(String.init).joined(separator: ", "))"
    }

    static func json(_ report: ReplayReport) -> JSONValue {
        [
            "equal": JSONValue(report.isEqual), "position": .string(report.position.description),
            "events": JSONValue(report.eventCount), "lines": JSONValue(report.lineCount),
            "accounts": JSONValue(report.accountCount), "count": JSONValue(report.differenceCount),
            "complete": JSONValue(report.isComplete), "differences": .array(report.differences.map(json)),
        ]
    }

    private static func json(_ difference: ProjectionDifference) -> JSONValue {
        [
            "table": .string(difference.table.rawValue), "field": .string(difference.field),
            "environment": string(difference.environment?.rawValue), "bundleId": string(difference.line?.bundleID),
            "originalTransactionId": string(difference.line?.originalTransactionID),
            "ownership": string(difference.line?.ownership.rawValue),
            "account": string(difference.account?.description), "entitlement": string(difference.entitlement),
            "live": string(difference.live), "replayed": string(difference.replayed),
            "events": .array(difference.events.map { JSONValue($0) }),
        ]
    }

    static func text(_ report: RuleReport) -> String {
        var lines = report.changes.map { change in
            "account \(change.account) (\(change.environment.rawValue)) \(phrase(change))"
        }
        let counts = AccessChange.Kind.allCases.map { "\(word($0)) \(report.counts[$0, default: 0])" }
        lines.append(
            "of \(report.accountCount) accounts, known up to \(report.position), at \(report.instant.iso8601): "
                + counts.joined(separator: ", ")
        )
        return lines.joined(separator: "\n")
    }

    private static func phrase(_ change: AccessChange) -> String {
        func end(_ instant: Instant?) -> String { instant?.iso8601 ?? "no end" }
        let before = change.stateBefore.map(\.rawValue) ?? "never held"
        let after = change.stateAfter.map(\.rawValue) ?? "never held"
        return switch change.kind {
        case .gains: "gains \(change.entitlement): \(before) -> \(after) to \(end(change.endAfter))"
        case .loses: "loses \(change.entitlement): \(before) to \(end(change.endBefore)) -> \(after)"
        case .endsSooner:
            "keeps \(change.entitlement) for a shorter time: to \(end(change.endBefore)) -> \(end(change.endAfter))"
        case .endsLater:
            "keeps \(change.entitlement) for a longer time: to \(end(change.endBefore)) -> \(end(change.endAfter))"
        }
    }

    private static func word(_ kind: AccessChange.Kind) -> String {
        switch kind {
        case .gains: "gains"
        case .loses: "losses"
        case .endsSooner: "end sooner"
        case .endsLater: "end later"
        }
    }

    static func json(_ report: RuleReport) -> JSONValue {
        let counts = AccessChange.Kind.allCases.map { kind in
            JSONObject.Member(key: kind.rawValue, value: JSONValue(report.counts[kind, default: 0]))
        }
        return [
            "position": .string(report.position.description), "at": .string(report.instant.iso8601),
            "events": JSONValue(report.eventCount), "accounts": JSONValue(report.accountCount),
            "counts": .object(JSONObject(counts)), "changes": .array(report.changes.map(json)),
        ]
    }

    private static func json(_ change: AccessChange) -> JSONValue {
        [
            "kind": .string(change.kind.rawValue), "environment": .string(change.environment.rawValue),
            "account": .string(change.account.description), "entitlement": .string(change.entitlement),
            "stateBefore": string(change.stateBefore?.rawValue), "endBefore": string(change.endBefore?.iso8601),
            "stateAfter": string(change.stateAfter?.rawValue), "endAfter": string(change.endAfter?.iso8601),
        ]
    }

    private static func string(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }
}
