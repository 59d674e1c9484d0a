/// A page in Prometheus' text format (version 0.0.4), read without leniency: what is not exactly as the format wants it is
/// an error.
struct ExpositionPage {
    struct Series: Hashable {
        var name: String
        var labels: [String: String]
    }

    struct Fault: Error, CustomStringConvertible {
        var line: Int
        var reason: String
        var description: String { "line \(line): \(reason)" }
    }

    /// Type by name of the metric.
    private(set) var types: [String: String] = [:]
    private(set) var helps: [String: String] = [:]
    private(set) var values: [Series: Double] = [:]

    init(_ text: String) throws(Fault) {
        guard text.hasSuffix("\n") else { throw Fault(line: 0, reason: "the last line does not end") }
        var family: String?
        for (index, line) in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            if line.hasPrefix("# ") {
                let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                guard parts.count == 4 else { throw Fault(line: number, reason: "a comment that says nothing") }
                let name = String(parts[2])
                guard Self.isName(name) else { throw Fault(line: number, reason: "no name: \(name)") }
                switch parts[1] {
                case "HELP":
                    guard helps.updateValue(String(parts[3]), forKey: name) == nil else {
                        throw Fault(line: number, reason: "a second HELP of \(name)")
                    }
                    family = name
                case "TYPE":
                    guard ["counter", "gauge", "histogram"].contains(parts[3]) else {
                        throw Fault(line: number, reason: "no type: \(parts[3])")
                    }
                    guard family == name, types.updateValue(String(parts[3]), forKey: name) == nil else {
                        throw Fault(line: number, reason: "TYPE of \(name) is not right behind its HELP")
                    }
                default: throw Fault(line: number, reason: "neither HELP nor TYPE")
                }
                continue
            }
            let (series, value) = try Self.sample(line, number)
            guard let family, let type = types[family], Self.belongs(series.name, to: family, type) else {
                throw Fault(line: number, reason: "\(series.name) stands outside of its metric")
            }
            guard values.updateValue(value, forKey: series) == nil else {
                throw Fault(line: number, reason: "\(series) is there twice")
            }
            if type != "gauge", value.isNaN || value < 0 { throw Fault(line: number, reason: "a count below 0") }
        }
        for (name, type) in types where type == "histogram" { try checkHistogram(name) }
    }

    /// The value of a series.
    subscript(name: String, labels: [String: String] = [:]) -> Double? { values[Series(name: name, labels: labels)] }

    private static func belongs(_ name: String, to family: String, _ type: String) -> Bool {
        guard type == "histogram" else { return name == family }
        return ["_bucket", "_sum", "_count"].contains { name == family + $0 }
    }

    /// `name{label="value",…} number`.
    private static func sample(_ line: Substring, _ number: Int) throws(Fault) -> (Series, Double) {
        var rest = line
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        guard isName(name) else { throw Fault(line: number, reason: "no name: \(name)") }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while true {
                let label = String(rest.prefix { $0 != "=" })
                guard isName(label), !label.contains(":"), rest.dropFirst(label.count).hasPrefix("=\"") else {
                    throw Fault(line: number, reason: "no label: \(label)")
                }
                rest = rest.dropFirst(label.count + 2)
                guard labels.updateValue(try value(&rest, number), forKey: label) == nil else {
                    throw Fault(line: number, reason: "label \(label) is there twice")
                }
                guard let next = rest.popFirst() else { throw Fault(line: number, reason: "the labels do not end") }
                if next == "}" { break }
                guard next == "," else { throw Fault(line: number, reason: "no comma between labels") }
            }
        }
        let text = rest.dropFirst()
        guard rest.first == " ", let value = text == "+Inf" ? .infinity : Double(text) else {
            throw Fault(line: number, reason: "no number: \(rest)")
        }
        return (Series(name: name, labels: labels), value)
    }

    private static func value(_ rest: inout Substring, _ number: Int) throws(Fault) -> String {
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                switch rest.popFirst() {
                case "\\": value += "\\"
                case "\"": value += "\""
                case "n": value += "\n"
                default: throw Fault(line: number, reason: "an escape that the format does not have")
                }
            default: value.append(character)
            }
        }
        throw Fault(line: number, reason: "a label's value does not end")
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 58
        }
    }

    /// Buckets rise with their bounds, the last one has no bound, and counts all.
    private func checkHistogram(_ name: String) throws(Fault) {
        var series: [[String: String]: [(bound: Double, count: Double)]] = [:]
        for (key, value) in values where key.name == name + "_bucket" {
            guard let le = key.labels["le"], let bound = le == "+Inf" ? .infinity : Double(le) else {
                throw Fault(line: 0, reason: "a bucket of \(name) has no bound")
            }
            series[key.labels.filter { $0.key != "le" }, default: []].append((bound, value))
        }
        for (labels, buckets) in series {
            let sorted = buckets.sorted { $0.bound < $1.bound }
            guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0.count <= $1.count }), let last = sorted.last,
                last.bound.isInfinite, self[name + "_count", labels] == last.count, self[name + "_sum", labels] != nil
            else { throw Fault(line: 0, reason: "the buckets of \(name) \(labels) do not fit together") }
        }
        let counts = values.keys.filter { $0.name == name + "_count" }
        guard counts.count == series.count else { throw Fault(line: 0, reason: "\(name) has a count without buckets") }
    }
}
