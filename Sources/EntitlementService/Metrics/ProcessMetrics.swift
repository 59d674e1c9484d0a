import Foundation
import Glibc

/// What the system says about this process, under the names that Prometheus' own client libraries use.
enum ProcessMetrics {
    /// What `/proc/self/stat` counts time in, a second.
    private static let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    private static let pageBytes = Double(max(1, sysconf(Int32(_SC_PAGESIZE))))

    static var families: [MetricFamily] {
        var families: [MetricFamily] = []
        // proc(5): the fields behind the command's name, which may itself hold blanks, in their order from the third on.
        if let stat = text("/proc/self/stat"), let end = stat.lastIndex(of: ")") {
            let fields = stat[stat.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
            if fields.count > 21 {
                families += [
                    MetricFamily(
                        "process_cpu_seconds_total",
                        .counter,
                        "Time of processors used, in user and system mode.",
                        (fields[11] + fields[12]) / ticks
                    ),
                    MetricFamily("process_threads", .gauge, "Threads.", fields[17]),
                    MetricFamily("process_virtual_memory_bytes", .gauge, "Address space.", fields[20]),
                    MetricFamily("process_resident_memory_bytes", .gauge, "Memory in use.", fields[21] * pageBytes),
                ]
                if let start = bootTime {
                    families.append(
                        MetricFamily(
                            "process_start_time_seconds",
                            .gauge,
                            "When the process started, in seconds since 1970.",
                            start + fields[19] / ticks
                        )
                    )
                }
            }
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            families.append(MetricFamily("process_open_fds", .gauge, "Open file descriptors.", Double(open)))
        }
        if let limits = text("/proc/self/limits"),
            let line = limits.split(separator: "\n").first(where: { $0.hasPrefix("Max open files") }),
            let soft = line.dropFirst("Max open files".count).split(separator: " ").first.flatMap({ Double($0) })
        {
            families.append(MetricFamily("process_max_fds", .gauge, "The most open file descriptors.", soft))
        }
        return families
    }

    /// When the system started, in seconds since 1970.
    private static let bootTime: Double? = text("/proc/stat")?.split(separator: "\n")
        .first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst("btime ".count)) }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
