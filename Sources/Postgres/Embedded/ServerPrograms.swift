import Foundation

/// Where PostgreSQL's server programs are, and of which version they are.
struct ServerPrograms {
    let directory: String
    var initdb: String { directory + "/initdb" }
    var postgres: String { directory + "/postgres" }

    /// Looks in `ENTITLED_PG_BIN` alone where that is set; else along PATH, then in Debian's directories, the newest
    /// version first.
    static func find(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> ServerPrograms {
        var places: [String]
        if let chosen = environment["ENTITLED_PG_BIN"], !chosen.isEmpty {
            places = [chosen]
        } else {
            places = (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
            places += debianDirectories()
        }
        for place in places {
            let found = ServerPrograms(directory: place)
            let isComplete = [found.initdb, found.postgres].allSatisfy {
                FileManager.default.isExecutableFile(atPath: $0)
            }
            if isComplete { return found }
        }
        throw EmbeddedPostgresError.programsNotFound(searched: places)
    }

    private static func debianDirectories() -> [String] {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap { Int($0) }.sorted(by: >).map { "\(root)/\($0)/bin" }
    }

    /// The major version, for example `15`, as it stands in a cluster's `PG_VERSION`.
    func majorVersion() throws -> String {
        // "postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)"
        let output = try ChildProcess.output(of: [postgres, "--version"])
        let version = output.split(separator: " ").first { $0.first?.isNumber == true } ?? ""
        return String(version.prefix { $0.isNumber })
    }
}
