package import JSON

/// What became of all files, in the order they were given.
package struct ScenarioReport: Sendable {
    package let files: [ScenarioFileReport]

    /// The number of files that were played and are right.
    package var passed: Int {
        files.count {
            if case .passed = $0.outcome { true } else { false }
        }
    }

    /// The number of files that are not, or cannot be played.
    package var failed: Int { files.count { $0.isFailure } }

    /// The last line for people.
    package var summary: String { "\(passed) passed, \(failed) failed" }

    /// The report for machines: `passed`, `failed` and `files` with `file`, `name`, `outcome` (`passed`, `failed`,
    /// `faulty`, `skipped`), and as the outcome has them `orders` (how many were played), `failures` and `problems`.
    package var json: JSONValue {
        [
            "passed": JSONValue(passed),
            "failed": JSONValue(failed),
            "files": .array(files.map(\.json)),
        ]
    }
}

extension ScenarioFileReport {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["file": .string(fileName), "name": name.map(JSONValue.string) ?? .null]
        switch outcome {
        case .passed(let orders):
            object["outcome"] = "passed"
            object["orders"] = JSONValue(orders)
        case .failed(let failures):
            object["outcome"] = "failed"
            object["failures"] = .array(failures.map(\.json))
        case .faulty(let problems):
            object["outcome"] = "faulty"
            object["problems"] = .array(problems.map(\.json))
        case .passedOver:
            object["outcome"] = "skipped"
        }
        return .object(object)
    }
}

extension ScenarioFailure {
    fileprivate var json: JSONValue {
        [
            "order": .array(order.map(JSONValue.string)),
            "listed": JSONValue(isListedOrder),
            "pass": JSONValue(pass),
            "place": .string(place),
            "expected": .string(expected),
            "got": .string(got),
            "differsAt": differsAt.map(JSONValue.string) ?? .null,
        ]
    }
}

extension ScenarioProblem {
    fileprivate var json: JSONValue {
        [
            "file": .string(file),
            "line": JSONValue(line),
            "column": JSONValue(column),
            "pointer": .string(pointer),
            "message": .string(message),
        ]
    }
}
