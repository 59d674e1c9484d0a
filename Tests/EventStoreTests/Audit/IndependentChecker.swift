import Foundation
import Postgres

/// Runs `deploy/check_chain.py` on dumps of a database: a checker that shares no code with the product.
struct IndependentChecker {
    /// The program's exit status.
    let status: Int32
    /// What it printed.
    let output: String

    /// The position it names first; nil: it names none.
    var position: Int64? {
        guard output.hasPrefix("position ") else { return nil }
        return Int64(output.dropFirst(9).prefix { $0.isNumber })
    }

    /// Dumps log and evidence, and runs the program on them.
    static func run(_ database: StoreDatabase, _ arguments: [String] = []) async throws -> IndependentChecker {
        let (events, evidence, chains) = try await database.owner { session in
            (
                try dump("COPY (SELECT * FROM entitled.events ORDER BY position) TO STDOUT (FORMAT binary)", session),
                try dump("COPY entitled.evidence TO STDOUT (FORMAT binary)", session),
                try dump("COPY entitled.certificate_chains TO STDOUT (FORMAT binary)", session)
            )
        }
        return try run(events: events, evidence: evidence, chains: chains, arguments)
    }

    static func run(
        events: [UInt8],
        evidence: [UInt8],
        chains: [UInt8],
        _ arguments: [String]
    ) throws -> IndependentChecker {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let names = ["events", "evidence", "chains"]
        let files = names.map { directory.appendingPathComponent($0) }
        for (file, bytes) in zip(files, [events, evidence, chains]) { try Data(bytes).write(to: file) }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["python3", root.appendingPathComponent("deploy/check_chain.py").path, "--evidence", files[1].path]
            + ["--chains", files[2].path] + arguments + [files[0].path]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return IndependentChecker(
            status: process.terminationStatus,
            output: String(decoding: output, as: UTF8.self)
        )
    }

    private static func dump(_ sql: String, _ session: PostgresSession) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try session.copyOut(sql) { piece in
            for index in piece.indices { bytes.append(piece[index]) }
        }
        return bytes
    }
}
