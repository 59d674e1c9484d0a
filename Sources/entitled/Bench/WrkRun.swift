import Foundation

/// One run of wrk: a number of connections, each with one request at a time, for some seconds.
struct WrkRun {
    /// Requests in a second.
    var rate: Double
    /// Latencies in milliseconds.
    var p50: Double
    var p99: Double

    /// - Throws: `CommandError` when a response was no 2xx, or a connection failed: then the rate means nothing.
    init(
        _ tools: BenchTools,
        url: String,
        script: URL,
        arguments: [String],
        connections: Int,
        threads: Int,
        seconds: Int,
        in directory: URL
    ) async throws {
        let text = try await BenchChild.run(
            tools.wrk,
            [
                "-t\(threads)", "-c\(connections)", "-d\(seconds)s", "--latency", "--timeout", "10s", "-s", script.path,
                url, "--",
            ] + arguments,
            in: directory
        )
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        func value(_ first: String) -> String? { lines.first { $0.first == first }?.last }
        guard let rate = value("Requests/sec:").flatMap(Double.init), rate > 0,
            let p50 = value("50%").flatMap(Self.milliseconds), let p99 = value("99%").flatMap(Self.milliseconds)
        else { throw CommandError(.software, "wrk printed something else than was expected: \(text.suffix(500))") }
        if text.contains("Non-2xx") || text.contains("Socket errors") {
            throw CommandError(.software, "requests of the measurement failed: \(text.suffix(500))")
        }
        self.rate = rate
        self.p50 = p50
        self.p99 = p99
    }

    /// `1.23ms`, `456.00us`, `1.02s` in milliseconds.
    private static func milliseconds(_ text: String) -> Double? {
        for (unit, factor) in [("us", 0.001), ("ms", 1.0), ("s", 1_000.0), ("m", 60_000.0)] where text.hasSuffix(unit) {
            return Double(text.dropLast(unit.count)).map { $0 * factor }
        }
        return nil
    }
}
