import Foundation
import Simulator

/// `entitled simulate load`.
enum SimulateLoadCommand: Command {
    static let words = ["simulate", "load"]
    static let summary = "Write signed request bodies for a load generator, one a line."
    static let options = [
        Option("chain", "DIR", "directory of the throwaway chain that the service trusts; default .entitled/chain"),
        Option("accounts", "N", "how many accounts buy a subscription; default 1000"),
        Option("periods", "N", "how many periods each of them buys; default 1"),
        Option("seed", "N", "ids and accounts follow from it; default 1"),
        Option("uploads", nil, "bodies for transactions.submit instead of notifications"),
    ]
    static let discussion = """
        Signing is done beforehand, so that a measurement holds the service's work alone. deploy/bench has the scripts for
        wrk that post the lines: notifications to /appstore/notifications, uploads to /rpc.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let directory = arguments.value("chain") ?? ".entitled/chain"
        guard let chain = try? ThrowawayChain(directory: URL(filePath: directory)) else {
            throw CommandError(
                .noInput,
                "\(directory) holds no throwaway chain; 'entitled dev' makes one in its data directory"
            )
        }
        let accounts = try arguments.integer("accounts", in: 1...10_000_000) ?? 1_000
        let seed = try arguments.integer("seed", in: 0...Int.max) ?? 1
        var plan = LoadPlan(accounts: accounts, seed: UInt64(seed))
        plan.periods = try arguments.integer("periods", in: 1...1_000) ?? 1
        let kind: LoadKind = arguments.has("uploads") ? .upload : .notification
        let piece = 1_000
        for start in stride(from: 0, to: plan.requestCount, by: piece) {
            let range = start..<min(start + piece, plan.requestCount)
            var lines = Data()
            for request in try await plan.requests(range, as: kind, signedBy: chain.signer) {
                lines.append(contentsOf: request.body)
                lines.append(UInt8(ascii: "\n"))
            }
            FileHandle.standardOutput.write(lines)
        }
    }
}
