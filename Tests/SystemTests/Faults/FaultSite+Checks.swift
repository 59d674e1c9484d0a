import Foundation
import Glibc
import Postgres
import Simulator
import Testing

/// What has to be true after every fault.
extension FaultSite {
    /// Waits until every instance says that it is ready and statements are acknowledged again, with nobody's help.
    func expectRecovery(_ fault: String) async throws {
        for place in instances.all.indices where instances.all[place].isServing {
            let client = try client(place)
            let isReady = await eventually { (try? await client.send("GET", "/readyz").status) == 200 }
            if !isReady {
                let body = try await String(decoding: client.send("GET", "/readyz").body, as: UTF8.self)
                Issue.record("instance \(place + 1) is not ready after: \(fault), seed \(seed): \(body)")
            }
        }
        try await expectProgress(fault)
    }

    /// Waits until twenty more statements are acknowledged.
    func expectProgress(_ moment: String) async throws {
        let before = traffic.record.acknowledged.count
        let goes = await eventually { self.traffic.record.acknowledged.count >= before + 20 }
        #expect(goes, "nothing is acknowledged any more: \(moment), seed \(seed), \(traffic.record.answers)")
    }

    /// Compares the log with what was acknowledged, and checks log, projections and sessions.
    func check(_ moment: String) async throws {
        let context = Comment(rawValue: "\(moment), seed \(seed)")
        // Taken first: what is acknowledged while the log is read may be missing in what was read.
        let acknowledged = traffic.acknowledgedTransactions
        let (events, head, isOrdered) = try await withDatabase(owner) { session in
            try session.transaction(.snapshot) { session in
                let rows = try session.query(
                    "SELECT position, coalesce(transaction_id, ''), type FROM entitled.events ORDER BY position"
                )
                let order = try session.query(
                    """
                    SELECT count(*) FROM (SELECT recorded_at < lag(recorded_at) OVER (ORDER BY position) AS back
                    FROM entitled.events) e WHERE back
                    """
                )
                return (
                    try rows.rows.map { (try rows.int64($0, 0), try rows.text($0, 1)) },
                    try session.query("SELECT position FROM entitled.log_head").int64(0, 0),
                    try order.int64(0, 0) == 0
                )
            }
        }
        let hasNoHole = events.enumerated().allSatisfy { $0.element.0 == Int64($0.offset + 1) }
        #expect(hasNoHole && head == Int64(events.count), context)
        #expect(isOrdered, context)
        var found: [String: Int] = [:]
        for (_, id) in events where !id.isEmpty { found[id, default: 0] += 1 }
        let lost = acknowledged.filter { found[$0] == nil }
        #expect(lost.isEmpty, "\(lost.count) acknowledged statements are not in the log: \(moment), seed \(seed)")
        let twice = found.filter { $0.value > 1 }
        #expect(twice.isEmpty, "\(twice.count) statements are in the log more than once: \(moment), seed \(seed)")

        for command in ["verify", "replay"] {
            let result = try await Program.run("audit", command, "--database", owner)
            #expect(result.status == 0, "audit \(command) \(moment), seed \(seed): \(result.output)\(result.errors)")
        }
        // Sessions of an instance that is gone end when the server notices.
        let bound = Int64(instances.all.count(where: \.isServing) * Self.sessionsPerInstance)
        let owner = owner
        let isBounded = try await eventually {
            try await withDatabase(owner) { session in
                try session.query("SELECT count(*) FROM pg_stat_activity WHERE usename = 'entitled_service'")
                    .int64(0, 0) <= bound
            }
        }
        #expect(isBounded, "sessions are left over \(moment), seed \(seed)")
    }

    /// Does harm, sees the service recover, and checks everything.
    func suffer(_ fault: String, _ harm: () async throws -> Void) async throws {
        count(fault)
        try await harm()
        try await expectRecovery(fault)
        try await check("after: \(fault)")
    }

    /// Lets time pass under load: until so many more answers of any kind came.
    func wait(for answers: Int) async {
        let before = traffic.record.answers.values.reduce(0, +)
        _ = await eventually { self.traffic.record.answers.values.reduce(0, +) >= before + answers }
    }
}
