import Foundation
import Postgres
import Simulator

/// Statements over HTTP, each signed beforehand and each another one, durable before they are answered.
struct IngestBench {
    let site: BenchSite
    let rounds: BenchRounds

    static let connections = 64

    /// Notifications of three signatures, against the arithmetic of the signatures alone.
    func notifications() async throws -> BenchResult {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let service = try await site.serve()
        defer { service.child.stop() }
        let (references, runs) = try await rounds.run { seconds in
            try await OpenSSLSpeed.verifications(site.tools, processes: cores, seconds: seconds, in: site.directory) / 3
        } work: { round, seconds, reference in
            try await run(.notification, to: service, round, count: Int(reference) * seconds, seconds: seconds)
        }
        var result = BenchResult(
            name: "ingestNotification",
            work: "a notification (three signatures) verified, appended, projected, durable",
            reference: "a third of openssl speed ecdsap256 verify, \(cores) processes",
            rates: runs.map(\.rate),
            referenceRates: references,
            budget: 0.5
        )
        result.latency = (BenchResult.median(runs.map(\.p50)), BenchResult.median(runs.map(\.p99)))
        return result
    }

    /// Uploaded transactions of one signature, against pgbench.
    func uploads() async throws -> BenchResult {
        try await site.execute(
            """
            CREATE SCHEMA bench;
            CREATE TABLE bench.events (LIKE entitled.events INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES);
            CREATE TABLE bench.sample AS SELECT * FROM entitled.events WHERE type = 'Renewed' LIMIT 1;
            CREATE SEQUENCE bench.positions CACHE 1
            """
        )
        let script = site.directory.appendingPathComponent("insert.sql")
        try Data(try await insertStatement().utf8).write(to: script)
        let service = try await site.serve()
        defer { service.child.stop() }
        let (references, runs) = try await rounds.run { seconds in
            try await PgbenchRun(site, ["-f", script.path], connections: Self.connections, seconds: seconds)
        } work: { round, seconds, _ in
            try await run(.upload, to: service, round, count: 12_000 * seconds, seconds: seconds)
        }
        try await site.execute("DROP SCHEMA bench CASCADE")
        var result = BenchResult(
            name: "ingestUpload",
            work: "an uploaded transaction (one signature), likewise",
            reference: "pgbench, prepared single-row INSERT of an event, \(Self.connections) clients",
            rates: runs.map(\.rate),
            referenceRates: references.map(\.rate),
            budget: 0.5
        )
        result.latency = (BenchResult.median(runs.map(\.p50)), BenchResult.median(runs.map(\.p99)))
        return result
    }

    /// Throughput and latency when fewer connections offer less load.
    func curve() async throws -> [(connections: Int, run: WrkRun)] {
        let service = try await site.serve()
        defer { service.child.stop() }
        var points: [(connections: Int, run: WrkRun)] = []
        for (place, connections) in [1, 4, 16, 64, 256].enumerated() {
            let run = try await run(
                .notification,
                to: service,
                100 + place,
                count: 20_000,
                connections: connections,
                seconds: 2
            )
            points.append((connections, run))
        }
        return points
    }

    // MARK: Parts

    private func run(
        _ kind: LoadKind,
        to service: BenchSite.Service,
        _ round: Int,
        count: Int,
        connections: Int = Self.connections,
        seconds: Int
    ) async throws -> WrkRun {
        let file = site.directory.appendingPathComponent("bodies")
        defer { try? FileManager.default.removeItem(at: file) }
        let seed = UInt64(1_000 * (kind == .upload ? 2 : 1) + round)
        try await write(LoadPlan(accounts: count, seed: seed), kind, to: file)
        return try await WrkRun(
            site.tools,
            url: service.url + kind.path,
            script: site.scripts.appendingPathComponent("post-lines.lua"),
            arguments: [file.path, site.key],
            connections: connections,
            // One: every body is sent by one thread alone.
            threads: 1,
            seconds: seconds,
            in: site.directory
        )
    }

    private func write(_ plan: LoadPlan, _ kind: LoadKind, to file: URL) async throws {
        guard FileManager.default.createFile(atPath: file.path, contents: nil),
            let handle = FileHandle(forWritingAtPath: file.path)
        else { throw CommandError(.unavailable, "\(file.path) cannot be written") }
        defer { try? handle.close() }
        let piece = 2_000
        for start in stride(from: 0, to: plan.requestCount, by: piece) {
            let range = start..<min(start + piece, plan.requestCount)
            var lines = Data()
            for request in try await plan.requests(range, as: kind, signedBy: site.environment.chain.signer) {
                lines.append(contentsOf: request.body)
                lines.append(UInt8(ascii: "\n"))
            }
            try handle.write(contentsOf: lines)
        }
        // Else the disk would be busy with these while it is measured how fast others are durable.
        try handle.synchronize()
    }

    /// Inserts a copy of an event under its own position, each value a parameter of the prepared statement or a constant
    /// of it.
    private func insertStatement() async throws -> String {
        try await DatabaseOption.withSession(site.database("entitled")) { session in
            let found = try session.query(
                """
                SELECT string_agg(
                    CASE attname WHEN 'position' THEN 'nextval(''bench.positions'')'
                        WHEN 'event_id' THEN 'gen_random_uuid()'
                        ELSE coalesce(quote_literal(row ->> attname) || '::' || format_type(atttypid, atttypmod), 'NULL')
                    END, ', ' ORDER BY attnum)
                FROM pg_attribute, (SELECT to_jsonb(s) AS row FROM bench.sample s) s
                WHERE attrelid = 'bench.sample'::regclass AND attnum > 0 AND attname <> 'evidence_digests'
                """
            )
            let columns = try session.query(
                """
                SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                WHERE attrelid = 'bench.sample'::regclass AND attnum > 0 AND attname <> 'evidence_digests'
                """
            )
            return """
                INSERT INTO bench.events (\(try columns.text(0, 0)), evidence_digests) \
                VALUES (\(try found.text(0, 0)), ARRAY[sha256(''::bytea)]);

                """
        }
    }
}
