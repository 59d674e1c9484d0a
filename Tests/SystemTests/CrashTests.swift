import EntitlementDomain
import Foundation
import JSON
import Postgres
import Simulator
import StoreTesting
import Synchronization
import TestKit
import Testing
import X509

extension SystemTests {
    /// Law 7 and law 3 for the whole program: what was acknowledged is in the log, and everything has one effect.
    @Suite struct CrashTests {
        @Test func aKilledServiceHasLostNothingItAcknowledged() async throws {
            let seed = SeededGenerator.seedOfThisRun("aKilledServiceHasLostNothingItAcknowledged")
            let count = 1_000
            try await TemporaryFolder.use { folder in
                let first = try await DevService(in: folder)
                let plan = LoadPlan(accounts: count, seed: seed)
                let requests = try await plan.requests(0..<count, as: .notification, signedBy: first.chain().signer)
                let identities = try requests.map { try Self.notificationUUID($0) }

                // Killed in the middle.
                let acknowledged = Mutex(Set<Int>())
                try await first.client.deliver(requests) { index, status in
                    #expect(status == 200)
                    let known = acknowledged.withLock { known in
                        known.insert(index)
                        return known.count
                    }
                    if known == count / 3 { first.program.signal(SIGKILL) }
                    return true
                }
                #expect(await first.program.end() == -SIGKILL)
                #expect(await eventually { first.serverProcesses.isEmpty }, "PostgreSQL outlived its parent")

                let second = try await DevService(in: folder)
                let before = try await Self.log(second)
                let safe = acknowledged.withLock { $0 }
                #expect(safe.count >= count / 3)
                #expect(safe.count < count, "the service was killed too late")
                for index in safe { #expect(before.identities[identities[index]] == 1, "seed \(seed)") }

                // Everything again, as the App Store does when it got no answer.
                try await second.client.deliver(requests) { _, status in
                    #expect(status == 200)
                    return true
                }
                let after = try await Self.log(second)
                for identity in identities { #expect(after.identities[identity] == 1, "seed \(seed)") }
                // The sample catalog is the one other event.
                #expect(after.positions == Array(1...Int64(count + 1)), "seed \(seed)")
                #expect(after.brokenHashes == [], "seed \(seed)")
                #expect(after.lineCount == Int64(count))
                for request in [requests[0], requests[count - 1]] {
                    let answer = try await second.client.call(
                        "entitlements.check",
                        [
                            "account": .string(request.account.description), "entitlement": "pro",
                            "at": JSONValue(request.expiresAt.milliseconds - 1),
                        ]
                    )
                    #expect(answer["result"]?["active"] == true, "\(answer)")
                }
                second.program.signal(SIGTERM)
                #expect(await second.program.end() == 0)
            }
        }

        private struct Log: Sendable {
            /// How many events each statement brought.
            var identities: [[UInt8]: Int]
            var positions: [Int64]
            var brokenHashes: [Int]
            var lineCount: Int64
        }

        private static func log(_ service: DevService) async throws -> Log {
            try await withDatabase(service.database) { session in
                let result = try session.query("SELECT position, statement_id FROM entitled.events ORDER BY position")
                return Log(
                    identities: try result.rows.reduce(into: [:]) { $0[try result.bytes($1, 1), default: 0] += 1 },
                    positions: try result.rows.map { try result.int64($0, 0) },
                    brokenHashes: try HashChain(session).broken,
                    lineCount: try session.query("SELECT count(*) FROM entitled.lines").int64(0, 0)
                )
            }
        }

        /// The 16 bytes of the `notificationUUID` in a notification's body.
        private static func notificationUUID(_ request: LoadRequest) throws -> [UInt8] {
            let text = try JSONParser.parse(request.body)["signedPayload"]?.stringValue ?? ""
            let segments = text.split(separator: ".")
            let payload = try JSONParser.parse(Base64URL.decode(Array(segments[1].utf8)) ?? [])
            let digits = Array((payload["notificationUUID"]?.stringValue ?? "").utf8.filter { $0 != UInt8(ascii: "-") })
            return stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
            }
        }
    }
}
