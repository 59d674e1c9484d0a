import Foundation

/// The programs that measurements need besides this one: the references, and what makes load.
struct BenchTools {
    let nginx: String
    let wrk: String
    let pgbench: String
    let psql: String
    let openssl: String
    /// This program itself.
    let entitled: String

    /// - Throws: `CommandError` that names all that is missing.
    init() throws(CommandError) {
        let directories =
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/sbin"]
        var missing: [String] = []
        func find(_ name: String) -> String {
            let path = directories.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
            if path == nil { missing.append(name) }
            return path ?? name
        }
        nginx = find("nginx")
        wrk = find("wrk")
        pgbench = find("pgbench")
        psql = find("psql")
        openssl = find("openssl")
        entitled = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "entitled"
        if !missing.isEmpty {
            throw CommandError(
                .unavailable,
                "\(missing.joined(separator: ", ")) not installed; 'make bench' installs what measurements need"
            )
        }
    }
}
