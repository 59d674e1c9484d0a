import EntitlementDomain
import Foundation
import JSON
import Postgres
import Simulator
import StoreTesting
import Synchronization
import TestKit
import Testing

extension SystemTests {
    /// A rebuild that is killed at random moments, beside a service that is written to and asked all the while.
    @Suite struct RebuildKillTests {
        /// With ENTITLED_LONG, which `make test-long` sets, more of everything.
        private static let isLong = ProcessInfo.processInfo.environment["ENTITLED_LONG"] != nil
        /// More events than the least memory holds, so that the rebuild goes through files and can be resumed.
        private static let first = isLong ? 12_000 : 1_300
        private static let kills = isLong ? 40 : 3

        @Test func aKilledRebuildIsTakenUpAgainAndNobodyNotices() async throws {
            let seed = SeededGenerator.seedOfThisRun("aKilledRebuildIsTakenUpAgainAndNobodyNotices")
            try await TemporaryFolder.use { folder in
                let service = try await DevService(in: folder.appending(path: "data"))
                let work = folder.appending(path: "work")
                try FileManager.default.createDirectory(at: work, withIntermediateDirectories: false)
                let plan = LoadPlan(accounts: Self.first * 4, seed: seed)
                let signer = try service.chain().signer
                let known = try await plan.requests(0..<Self.first, as: .upload, signedBy: signer)
                try await service.client.deliver(known, connections: 8)

                let isOver = Flag()
                let writer = Task {
                    var next = Self.first
                    while !isOver.isSet, next < plan.requestCount {
                        let end = min(next + 20, plan.requestCount)
                        let requests = try await plan.requests(next..<end, as: .upload, signedBy: signer)
                        try await service.client.deliver(requests, connections: 2)
                        next = end
                    }
                    return next
                }
                let reader = Task {
                    var random = SeededGenerator(seed: seed &+ 1)
                    var count = 0
                    while !isOver.isSet {
                        let request = known.randomElement(using: &random)!
                        let answer = try await service.client.call(
                            "entitlements.check",
                            [
                                "account": .string(request.account.description), "entitlement": "pro",
                                "at": JSONValue(request.expiresAt.milliseconds - 1),
                            ]
                        )
                        guard answer["result"]?["active"] == true else { throw WrongAnswer(answer: answer) }
                        count += 1
                    }
                    return count
                }

                func rebuild() throws -> RunningProgram {
                    try RunningProgram([
                        "rebuild", "--database", service.database, "--memory", "1", "--jobs", "2", "--json",
                        "--work-dir",
                        work.path(percentEncoded: false),
                    ])
                }
                var random = SeededGenerator(seed: seed)
                let start = ContinuousClock.now
                let whole = try rebuild()
                #expect(await whole.end() == 0, "\(whole.errors)")
                var length = ContinuousClock.now - start
                #expect(try JSONParser.parse(Array(whole.output.utf8))["fileBytes"] != 0)
                var killed = 0
                for _ in 0..<Self.kills * 4 where killed < Self.kills {
                    let begun = ContinuousClock.now
                    let victim = try rebuild()
                    // The moment is what is random here; nothing is waited for.
                    try await Task.sleep(for: length * Double.random(in: 0.1..<0.9, using: &random))
                    victim.signal(SIGKILL)
                    if await victim.end() == -SIGKILL {
                        killed += 1
                    } else {
                        // It was faster than the one before.
                        length = min(length * 0.7, ContinuousClock.now - begun)
                    }
                }
                #expect(killed == Self.kills, "seed \(seed): the others were faster than their killer")

                // Right behind a kill: what is left of the dead one is waited for.
                let last = try rebuild()
                #expect(await last.end() == 0, "seed \(seed): \(last.errors)")
                isOver.set()
                let delivered = try await writer.value
                #expect(delivered > Self.first, "nothing was written meanwhile")
                #expect(try await reader.value > 0)

                let replay = try await Program.run("audit", "replay", "--database", service.database)
                #expect(replay.status == 0 && replay.output == "", "seed \(seed): \(replay.output.prefix(2_000))")
                let verify = try await Program.run("audit", "verify", "--database", service.database)
                #expect(verify.status == 0, "\(verify.output)")
                let (schemas, lines) = try await withDatabase(service.database) { session in
                    let found = try session.query(
                        "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'entitled%'"
                    )
                    return (
                        try found.rows.map { try found.text($0, 0) },
                        try session.query("SELECT count(*) FROM entitled.lines").int64(0, 0)
                    )
                }
                #expect(schemas == ["entitled"], "seed \(seed): a generation was left")
                #expect(lines == Int64(delivered), "seed \(seed)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: work.path(percentEncoded: false)) == [])
                service.program.signal(SIGTERM)
                #expect(await service.program.end() == 0)
            }
        }

        private final class Flag: Sendable {
            private let value = Atomic(false)

            var isSet: Bool { value.load(ordering: .acquiring) }

            func set() { value.store(true, ordering: .releasing) }
        }

        private struct WrongAnswer: Error {
            var answer: JSONValue
        }
    }
}
