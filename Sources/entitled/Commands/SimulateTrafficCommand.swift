import Foundation
import JSON
import Simulator

/// `entitled simulate traffic`.
enum SimulateTrafficCommand: Command {
    static let words = ["simulate", "traffic"]
    static let summary =
        "Play mixed load against instances and compare their answers with what they acknowledged."
    static let options = [
        Option("url", "URL", "address of an instance, http://ADDRESS:PORT; may be given several times"),
        Option("key", "KEY", "API key with the scopes read and submit"),
        Option("chain", "DIR", "directory of the throwaway chain that the service trusts; default .entitled/chain"),
        Option("seed", "N", "ids, accounts and order follow from it; default: another one each time"),
        Option("rate", "N", "works a second; default: as many as are answered"),
        Option("seconds", "N", "how long; default 10"),
        Option("workers", "N", "connections at the same time; default 8"),
        Option("statements-only", nil, "no look-ups, long polls and spends"),
        Option("acknowledged", "FILE", "where to write the transaction ids that were acknowledged, one a line"),
    ]
    static let discussion = """
        Statements come in any order, some twice at once and again later, to any of the instances, and are sent again until they
        are acknowledged. The last line printed is JSON. The status is 1 when an answer was wrong, or a statement was not
        acknowledged within a minute after the end.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let targets = try arguments.all("url").map { text throws(CommandError) in
            guard let url = URL(string: text), url.scheme == "http", let host = url.host, let port = url.port else {
                throw CommandError(.usage, "--url must be an address such as http://127.0.0.1:8080, not '\(text)'")
            }
            return TrafficOptions.Target(address: host == "localhost" ? "127.0.0.1" : host, port: port)
        }
        if targets.isEmpty { throw CommandError(.usage, "--url URL is needed") }
        guard let key = arguments.value("key") else { throw CommandError(.usage, "--key KEY is needed") }
        let directory = arguments.value("chain") ?? ".entitled/chain"
        guard let chain = try? ThrowawayChain(directory: URL(filePath: directory)) else {
            throw CommandError(
                .noInput,
                "\(directory) holds no throwaway chain; 'entitled dev' makes one in its data directory"
            )
        }
        let seed = try arguments.integer("seed", in: 0...Int.max) ?? Int.random(in: 1...Int.max)
        var options = TrafficOptions(seed: UInt64(seed), key: key)
        if !arguments.has("statements-only") { options.mix = .daily }
        options.rate = try arguments.integer("rate", in: 1...1_000_000).map(Double.init)
        options.workers = try arguments.integer("workers", in: 1...1_000) ?? options.workers
        let traffic = Traffic(options, signer: chain.signer) { targets }
        let end = ContinuousClock.now + .seconds(try arguments.integer("seconds", in: 1...1_000_000) ?? 10)
        let isDrained = await traffic.run { ContinuousClock.now >= end }
        let record = traffic.record
        if let file = arguments.value("acknowledged") {
            let lines = traffic.acknowledgedTransactions.map { $0 + "\n" }.joined()
            do {
                try Data(lines.utf8).write(to: URL(filePath: file))
            } catch {
                throw CommandError(.unavailable, "\(file) cannot be written")
            }
        }
        let report: JSONObject = [
            "seed": JSONValue(Int64(seed)), "acknowledged": JSONValue(Int64(record.acknowledged.count)),
            "repetitions": JSONValue(Int64(record.repetitions)),
            "longestPauseMs": JSONValue(Int64(record.longestPause / .milliseconds(1))),
            "done": counts(record.done), "answers": counts(record.answers),
            "wrong": .array(record.faults.map { .string($0) }), "allAcknowledged": .bool(isDrained),
        ]
        print(String(decoding: JSONValue.object(report).serialized(), as: UTF8.self))
        if !isDrained || record.faultCount > 0 {
            throw CommandError(.checkFailed, "\(record.faultCount) answers are wrong; see the report")
        }
    }

    private static func counts(_ counts: [String: Int]) -> JSONValue {
        var object = JSONObject()
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { object[name] = JSONValue(Int64(count)) }
        return .object(object)
    }
}
