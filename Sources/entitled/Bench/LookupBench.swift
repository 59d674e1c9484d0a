import EntitlementDomain
import Foundation
import JSON

/// Look-ups over HTTP: warm against nginx with a constant body of the same size, cold against pgbench.
struct LookupBench {
    let site: BenchSite
    let history: BenchHistory
    let rounds: BenchRounds

    static let connections = 64
    /// The most accounts that are asked about when warm: they fit into the cache as it is by default.
    static let warmAccounts = 1_000_000

    /// `entitlements.get` of accounts that are in memory.
    func warm() async throws -> (result: BenchResult, memory: JSONValue) {
        let accounts = sample(Self.warmAccounts, of: 0..<history.accountCount)
        let file = try write(accounts, "warm-accounts")
        let service = try await site.serve()
        defer { service.child.stop() }
        let request = BenchRequest(url: service.url, key: site.key)
        for start in stride(from: 0, to: accounts.count, by: 1_000) {
            let part = accounts[start..<min(start + 1_000, accounts.count)]
            try await request.call("entitlements.getMany", ["accounts": .array(part.map { .string($0.description) })])
        }
        let answer = try await request.call("entitlements.get", ["account": .string(accounts[0].description)])
        let nginx = try await startNginx(body: answer)
        defer { nginx.child.stop() }
        let (references, runs) = try await rounds.run { seconds in
            try await run(nginx.url, file, seconds)
        } work: { _, seconds, _ in
            try await run(service.url, file, seconds)
        }
        let memory = service.child.memory("VmRSS") ?? 0
        let peak = service.child.memory("VmHWM") ?? 0
        var result = BenchResult(
            name: "lookupWarm",
            work: "entitlements.get over HTTP, warm, \(Self.connections) connections",
            reference: "nginx returning a constant body of \(answer.count) bytes",
            rates: runs.map(\.rate),
            referenceRates: references.map(\.rate),
            budget: 0.8
        )
        result.latency = Self.latency(runs)
        result.referenceLatency = Self.latency(references)
        return (result, ["serveResidentKiB": JSONValue(Int64(memory)), "servePeakKiB": JSONValue(Int64(peak))])
    }

    /// `entitlements.get` that goes to the database each time: a service without a cache.
    func cold() async throws -> BenchResult {
        let file = try write(sample(200_000, of: 0..<history.accountCount), "cold-accounts")
        _ = try await BenchChild.run(
            site.tools.pgbench,
            ["-i", "-q", "-s", "10", site.database("entitled")],
            in: site.directory
        )
        let service = try await site.serve("entitled", Self.withoutCache)
        defer { service.child.stop() }
        let (references, runs) = try await rounds.run { seconds in
            try await PgbenchRun(site, ["-S"], connections: Self.connections, seconds: seconds)
        } work: { _, seconds, _ in
            try await run(service.url, file, seconds)
        }
        var result = BenchResult(
            name: "lookupCold",
            work: "the same, every account from the database",
            reference: "pgbench, prepared single-row SELECT, \(Self.connections) clients",
            rates: runs.map(\.rate),
            referenceRates: references.map(\.rate),
            budget: 0.5
        )
        result.latency = Self.latency(runs)
        return result
    }

    /// `getMany` of 100 accounts each, in accounts a second.
    func many() async throws -> JSONValue {
        let file = try write(sample(Self.warmAccounts, of: 0..<history.accountCount), "many-accounts")
        let service = try await site.serve()
        defer { service.child.stop() }
        let (_, runs) = try await rounds.run { _ in
        } work: { _, seconds, _ in
            try await run(service.url, file, seconds, accountsPerCall: 100)
        }
        let middle = Self.latency(runs)
        return [
            "callsPerSecond": BenchResult.number(BenchResult.median(runs.map(\.rate))),
            "accountsPerSecond": BenchResult.number(BenchResult.median(runs.map(\.rate)) * 100),
            "latencyMs": ["p50": BenchResult.number(middle.p50), "p99": BenchResult.number(middle.p99)],
        ]
    }

    /// The cost of a cold look-up against the number of renewals of a line and of accounts in the database.
    ///
    /// - Parameter others: databases with fewer accounts, by name.
    func scale(_ others: [(name: String, history: BenchHistory)]) async throws -> JSONValue {
        let service = try await site.serve("entitled", Self.withoutCache)
        var files: [(label: String, url: String, file: URL)] = []
        for periods in [1, 12, 100, 1_000] as [Int64] {
            let accounts = history.accounts(withPeriods: periods).map { history.account($0) }
            files.append(("renewals \(periods)", service.url, try write(accounts, "renewals-\(periods)")))
        }
        var services = [service]
        defer { for service in services { service.child.stop() } }
        for (name, history) in others {
            let service = try await site.serve(name, Self.withoutCache)
            services.append(service)
            let file = try write(sample(100_000, of: 0..<history.accountCount), name)
            files.append(("accounts \(history.accountCount)", service.url, file))
        }
        let all = try write(sample(100_000, of: 0..<history.accountCount), "accounts-all")
        files.append(("accounts \(history.accountCount)", service.url, all))
        var rates: [String: [Double]] = [:]
        for round in 0...rounds.count {
            for (label, url, file) in files {
                let run = try await run(url, file, round == 0 ? 1 : 2)
                if round > 0 { rates[label, default: []].append(run.rate) }
            }
        }
        var object = JSONObject()
        for (label, _, _) in files { object[label] = BenchResult.number(BenchResult.median(rates[label] ?? [])) }
        return .object(object)
    }

    // MARK: Parts

    private static let withoutCache: JSONObject = ["cache": ["maximumBytes": 0]]

    private func run(_ url: String, _ file: URL, _ seconds: Int, accountsPerCall: Int = 1) async throws -> WrkRun {
        try await WrkRun(
            site.tools,
            url: "\(url)/rpc",
            script: site.scripts.appendingPathComponent("look-up.lua"),
            arguments: [file.path, site.key, String(accountsPerCall)],
            connections: Self.connections,
            threads: 2,
            seconds: seconds,
            in: site.directory
        )
    }

    private static func latency(_ runs: [WrkRun]) -> (p50: Double, p99: Double) {
        (BenchResult.median(runs.map(\.p50)), BenchResult.median(runs.map(\.p99)))
    }

    /// Accounts at even distances, in an order that has nothing to do with that of the log.
    private func sample(_ count: Int, of range: Range<Int>) -> [AccountID] {
        let count = min(count, range.count)
        var numbers = (0..<count).map { range.lowerBound + $0 * range.count / count }
        numbers.shuffle()
        return numbers.map { history.account($0) }
    }

    private func write(_ accounts: [AccountID], _ name: String) throws -> URL {
        let file = site.directory.appendingPathComponent(name)
        try Data(accounts.map { "\($0)\n" }.joined().utf8).write(to: file)
        return file
    }

    private func startNginx(body: [UInt8]) async throws -> (child: BenchChild, url: String) {
        let directory = site.directory.appendingPathComponent("nginx")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let port = try await BenchPort.free()
        let text = String(decoding: body, as: UTF8.self).replacingOccurrences(of: "\"", with: "\\\"")
        let configuration = """
            worker_processes 2;
            pid \(directory.path)/nginx.pid;
            error_log \(directory.path)/error.log;
            daemon off;
            events { worker_connections 1024; }
            http {
              access_log off;
              keepalive_requests 1000000000;
              default_type application/json;
              client_body_temp_path \(directory.path)/body;
              proxy_temp_path \(directory.path)/proxy;
              fastcgi_temp_path \(directory.path)/fastcgi;
              uwsgi_temp_path \(directory.path)/uwsgi;
              scgi_temp_path \(directory.path)/scgi;
              server { listen 127.0.0.1:\(port); location / { return 200 "\(text)"; } }
            }
            """
        let file = directory.appendingPathComponent("nginx.conf")
        try Data(configuration.utf8).write(to: file)
        let child = try BenchChild(
            site.tools.nginx,
            ["-p", directory.path, "-c", file.path],
            output: directory.appendingPathComponent("output")
        )
        try await BenchPort.wait(for: port)
        return (child, "http://127.0.0.1:\(port)")
    }
}
