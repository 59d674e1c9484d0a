import EntitlementDomain
import JSON

extension ReconcileReport {
    /// What a line of the log says of the run.
    var logFields: ServiceLog.Fields {
        func sum(_ count: (History) -> Int) -> JSONValue {
            .number(JSONNumber(Int64(histories.reduce(0) { $0 + count($1) })))
        }
        var fields: ServiceLog.Fields = [
            ("notifications", sum(\.notifications)), ("appended", sum(\.appended)), ("refused", sum(\.refused)),
            ("parked", sum(\.parked)), ("lines", .number(JSONNumber(Int64(lines)))),
            ("appendedAboutLines", .number(JSONNumber(Int64(appendedAboutLines)))),
            ("calls", .number(JSONNumber(calls))),
        ]
        let problems = histories.compactMap { history in
            history.problem.map { "\(history.bundleID) \(history.environment.rawValue): \($0)" }
        }
        if !problems.isEmpty { fields.append(("problems", .array(problems.map { .string($0) }))) }
        if let stop { fields.append(("stop", .string(stop))) }
        return fields
    }

    /// Whether every app was asked, to the end.
    var isWhole: Bool { stop == nil && histories.allSatisfy { $0.problem == nil } }
}
