extension ScenarioFileReport {
    /// One line for a file that is fine, and below that line what is wrong with one that is not; no line feed at the
    /// end.
    package var text: String {
        switch outcome {
        case .passed(let orders):
            return "ok      \(fileName) (\(orders == 1 ? "1 order" : "\(orders) orders"))"
        case .passedOver:
            return "skipped \(fileName) (no deliveries)"
        case .faulty(let problems):
            return (["FAILED  \(fileName)"] + problems.map { "    \($0)" }).joined(separator: "\n")
        case .failed(let failures):
            return (["FAILED  \(fileName)"] + failures.map(\.text)).joined(separator: "\n")
        }
    }
}

extension ScenarioFailure {
    fileprivate var text: String {
        let repetition = pass == 2 ? ", delivered a second time" : ""
        var lines = [
            "    order \(order.joined(separator: " "))\(isListedOrder ? " (as listed)" : "")\(repetition)",
            "      \(place)",
            "        expected \(expected)",
            "        got      \(got)",
        ]
        if let differsAt { lines.append("        differs at \(differsAt)") }
        return lines.joined(separator: "\n")
    }
}
