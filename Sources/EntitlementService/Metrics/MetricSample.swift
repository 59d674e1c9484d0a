/// One value of a metric without labels, as some part of the service gives it when it is asked.
struct MetricSample: Sendable {
    let name: String
    let kind: MetricFamily.Kind
    let help: String
    let value: Double

    init(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double) {
        self.name = name
        self.kind = kind
        self.help = help
        self.value = value
    }

    /// The metric of this one value.
    var family: MetricFamily { MetricFamily(name, kind, help, value) }
}
