import Foundation

/// Prometheus' own checker, where it is installed: `make check-deploy` installs it.
enum Promtool {
    static var path: String? {
        ["/usr/bin/promtool", "/usr/local/bin/promtool", ".build/deploy-tools/usr/bin/promtool"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Runs it over an input that it reads to the end.
    static func run(_ path: String, _ arguments: [String], input: [UInt8]) throws -> (status: Int32, output: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "entitled-metrics-\(UUID().uuidString)")
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
