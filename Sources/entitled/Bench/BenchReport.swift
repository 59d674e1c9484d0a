import Foundation
import JSON

/// What was measured, as a table for people and as JSON.
struct BenchReport {
    private var results: [BenchResult] = []
    private var memory = JSONObject()
    /// Measurements without a reference, by name.
    var others = JSONObject()
    /// Throughput and latency of notifications against the number of connections.
    var curve: [(connections: Int, run: WrkRun)] = []

    /// The order of the ratios.
    private static let order = ["lookupWarm", "lookupCold", "ingestNotification", "ingestUpload", "verify", "rebuild"]

    mutating func add(_ result: BenchResult) { results.append(result) }

    mutating func add(memory: JSONValue) {
        for member in (memory.objectValue ?? JSONObject()).members { self.memory[member.key] = member.value }
    }

    private var ordered: [BenchResult] {
        Self.order.compactMap { name in results.first { $0.name == name } }
    }

    var json: JSONValue {
        var ratios = JSONObject()
        var measurements = JSONObject()
        for result in ordered {
            ratios[result.name] = BenchResult.number(result.ratio)
            measurements[result.name] = result.json
        }
        return [
            "ratios": .object(ratios), "measurements": .object(measurements), "memory": .object(memory),
            "others": .object(others),
            "ingestCurve": .array(
                curve.map { point in
                    [
                        "connections": JSONValue(Int64(point.connections)),
                        "perSecond": BenchResult.number(point.run.rate),
                        "latencyMs": [
                            "p50": BenchResult.number(point.run.p50), "p99": BenchResult.number(point.run.p99),
                        ],
                    ]
                }
            ),
            "machine": .string(Self.machine),
        ]
    }

    /// Tables in Markdown, as the README has them.
    var text: String {
        var lines = [
            Self.machine, "", "| work | rate | reference | ratio | budget | p50 | p99 |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        for result in ordered {
            let latency = result.latency.map { "\(Self.milliseconds($0.p50)) | \(Self.milliseconds($0.p99))" } ?? "|"
            lines.append(
                "| \(result.work) | \(Int64(result.rate))/s | \(result.reference): \(Int64(result.referenceRate))/s | "
                    + "\(Self.twoPlaces(result.ratio)) | ≥ \(result.budget) | \(latency) |"
            )
        }
        if !curve.isEmpty {
            lines += ["", "| connections | notifications | p50 | p99 |", "| ---: | ---: | ---: | ---: |"]
            for point in curve {
                lines.append(
                    "| \(point.connections) | \(Int64(point.run.rate))/s | \(Self.milliseconds(point.run.p50)) | "
                        + "\(Self.milliseconds(point.run.p99)) |"
                )
            }
        }
        for member in memory.members { lines.append("\(member.key) \(member.value)") }
        for member in others.members { lines.append("\(member.key) \(member.value)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func twoPlaces(_ value: Double) -> String { String(format: "%.2f", value) }

    private static func milliseconds(_ value: Double) -> String { String(format: "%.2f ms", value) }

    /// The processor, the number of cores and the memory.
    private static var machine: String {
        let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }?
            .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        let memory = ProcessInfo.processInfo.physicalMemory / (1 << 30)
        return "\(ProcessInfo.processInfo.activeProcessorCount) cores (\(model ?? "unknown")), \(memory) GiB of memory"
    }
}
