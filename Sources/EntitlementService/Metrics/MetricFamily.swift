/// A metric with all its series, as Prometheus' text format (version 0.0.4) has it.
struct MetricFamily: Sendable {
    enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// A label's name and value.
    typealias Label = (name: String, value: String)

    /// One line.
    private struct Line: Sendable {
        var suffix: String
        var labels: [Label]
        var value: Double
    }

    let name: String
    let kind: Kind
    let help: String
    private var lines: [Line] = []

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// A metric with a single series.
    init(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.init(name, kind, help)
        add([], value)
    }

    /// Adds a series; two of the same labels are a mistake of the caller's.
    mutating func add(_ labels: [Label], _ value: Double) {
        lines.append(Line(suffix: "", labels: labels, value: value))
    }

    /// Adds a series of a histogram.
    mutating func add(_ labels: [Label], _ histogram: Histogram.Values) {
        var count: UInt64 = 0
        for (index, bucket) in histogram.buckets.enumerated() {
            count += bucket
            let bound = index < histogram.bounds.count ? histogram.bounds[index] : .infinity
            let le = Self.text(bound)
            lines.append(Line(suffix: "_bucket", labels: labels + [("le", le)], value: Double(count)))
        }
        lines.append(Line(suffix: "_sum", labels: labels, value: histogram.sum))
        lines.append(Line(suffix: "_count", labels: labels, value: Double(count)))
    }

    /// Writes the help, the type and all lines.
    func write(to text: inout String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for line in lines {
            text += name
            text += line.suffix
            if !line.labels.isEmpty {
                text += "{"
                for (index, label) in line.labels.enumerated() {
                    if index > 0 { text += "," }
                    text += "\(label.name)=\"\(Self.escaped(label.value, quotes: true))\""
                }
                text += "}"
            }
            text += " \(Self.text(line.value))\n"
        }
    }

    private static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return "\(value)"
    }

    /// Backslashes and line breaks are escaped in helps, and quotes as well in labels.
    private static func escaped(_ value: String, quotes: Bool) -> String {
        var text = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": text += "\\\\"
            case "\"" where quotes: text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
