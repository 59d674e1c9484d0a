/// One value of a metric without labels, as some part of the service gives it when it is asked.
struct MetricSample: Sendable {
    enum Kind: String, Sendable {
        case counter
        case gauge
    }

    let name: String
    let kind: Kind
    let help: String
    let value: Double

    init(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.name = name
        self.kind = kind
        self.help = help
        self.value = value
    }

    /// In Prometheus' text format.
    var lines: [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(kind.rawValue)", "\(name) \(value.isNaN ? "NaN" : "\(value)")"]
    }
}
