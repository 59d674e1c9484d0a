package import EntitlementDomain
import JSON

/// The service's log: what happened, one line each, with the request it belongs to. No keys, no signed texts, no accounts:
/// the position of an event leads to the rest, for those who may see it.
package final class ServiceLog: Sendable {
    /// Names and values, in their order.
    typealias Fields = [(name: String, value: JSONValue)]

    /// Writes nothing.
    package static let off = ServiceLog(level: nil, format: .json, sink: LogSink { _ in }) { .distantPast }

    private let level: LogLevel?
    private let format: LogFormat
    private let sink: LogSink
    private let clock: @Sendable () -> Instant

    /// - Parameter level: what matters less is not written; nil: nothing is.
    package init(level: LogLevel?, format: LogFormat, sink: LogSink, clock: @escaping @Sendable () -> Instant) {
        self.level = level
        self.format = format
        self.sink = sink
        self.clock = clock
    }

    /// Whether lines of a level are written: asked before work is put into their fields.
    func isOn(_ level: LogLevel) -> Bool { self.level.map { level >= $0 } ?? false }

    /// Writes a line.
    func write(_ level: LogLevel, _ message: String, _ fields: Fields = []) {
        guard isOn(level) else { return }
        sink.add(format.line(level, message, fields, at: clock())) { missing in
            format.line(
                .warning,
                "lines were dropped",
                [("lines", .number(JSONNumber(Int64(missing))))],
                at: clock()
            )
        }
    }

    /// Writes a line that has no fields beside some text.
    package func note(_ level: LogLevel, _ message: String, _ fields: [(String, String)] = []) {
        write(level, message, fields.map { ($0.0, .string($0.1)) })
    }

    /// Waits until everything is written, but not for long.
    package func flush() async { await sink.flush() }

    var families: [MetricFamily] {
        let counts = sink.counts
        return [
            MetricFamily("entitled_log_lines_total", .counter, "Lines of this log.", Double(counts.written)),
            MetricFamily(
                "entitled_log_lines_dropped_total",
                .counter,
                "Lines that were dropped because their reader was too slow.",
                Double(counts.dropped)
            ),
        ]
    }
}
