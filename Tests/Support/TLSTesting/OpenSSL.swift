import Dispatch
import Foundation

/// The openssl program: another implementation of TLS than the server's.
package enum OpenSSL {
    /// Runs it and gives what it prints. It is waited for on a thread of its own, as the server's work for later needs
    /// Swift's.
    package static func run(_ arguments: [String], input: String = "") async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "openssl").async {
                continuation.resume(with: Result { try runHere(arguments, input: input) })
            }
        }
    }

    /// Sends one request and gives the answer; empty when there is none.
    package static func request(
        _ port: Int,
        _ options: [String] = [],
        path: String = "/",
        fields: [String] = [],
        as client: ThrowawayCertificate? = nil
    ) async throws -> String {
        try await withFiles(client.map { ["certificate": $0.certificatePEM, "key": $0.privateKeyPEM] } ?? [:]) {
            let identity = $0.isEmpty ? [] : ["-cert", $0["certificate"] ?? "", "-key", $0["key"] ?? ""]
            return try await run(
                ["s_client", "-quiet", "-connect", "127.0.0.1:\(port)", "-ign_eof"] + options + identity,
                input: "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + fields.map { "\($0)\r\n" }.joined() + "\r\n"
            )
        }
    }

    /// The subject of the certificate that a server shows.
    package static func subject(_ port: Int) async throws -> String {
        let text = try await run(["s_client", "-connect", "127.0.0.1:\(port)"])
        return text.split(separator: "\n").first { $0.hasPrefix("subject=") }.map(String.init) ?? ""
    }

    /// Puts texts into files as long as a closure runs, which gets their paths.
    package static func withFiles<Value>(
        _ texts: [String: String],
        _ body: ([String: String]) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "entitled-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String: String] = [:]
        for (name, text) in texts {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            paths[name] = file.path(percentEncoded: false)
        }
        return try await body(paths)
    }

    private static func runHere(_ arguments: [String], input: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // A handshake that failed has ended it already.
        try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? standardInput.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
