import Foundation

/// The program under test, found beside the test bundle, or the one that `ENTITLED_PROGRAM` names.
enum Program {
    static let path: String = {
        if let chosen = ProcessInfo.processInfo.environment["ENTITLED_PROGRAM"], !chosen.isEmpty { return chosen }
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: bundle).deletingLastPathComponent().appending(path: "entitled").path(percentEncoded: false)
    }()

    /// How a command ended.
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs a command to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Result {
        try await run(arguments, environment: environment)
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
        let process = try RunningProgram(arguments, environment: environment)
        let status = await process.end()
        return Result(status: status, output: process.output, errors: process.errors)
    }
}
