import Foundation

/// What `openssl speed` says of ECDSA with P-256.
enum OpenSSLSpeed {
    /// Verifications in a second.
    ///
    /// - Parameter processes: how many work side by side.
    static func verifications(_ tools: BenchTools, processes: Int, seconds: Int, in directory: URL) async throws
        -> Double
    {
        let text = try await BenchChild.run(
            tools.openssl,
            ["speed", "-seconds", "\(seconds)"] + (processes > 1 ? ["-multi", "\(processes)"] : []) + ["ecdsap256"],
            in: directory
        )
        guard let line = text.split(separator: "\n").last(where: { $0.contains("ecdsa (nistp256)") }),
            let rate = line.split(separator: " ").last.flatMap({ Double($0) }), rate > 0
        else { throw CommandError(.software, "openssl speed printed something else: \(text.suffix(500))") }
        return rate
    }
}
