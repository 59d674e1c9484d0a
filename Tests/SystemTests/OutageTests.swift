import EntitlementDomain
import JSON
import Postgres
import Simulator
import StoreTesting
import Synchronization
import TestKit
import Testing

extension SystemTests {
    /// PostgreSQL goes away under load: callers are told to come again, nothing is lost, and nobody has to help.
    @Suite struct OutageTests {
        @Test func anOutageOfTheDatabaseIsTemporaryForEverybody() async throws {
            let seed = SeededGenerator.seedOfThisRun("anOutageOfTheDatabaseIsTemporaryForEverybody")
            let count = 300
            let server = try await PrivateServer.start()
            try await ServeService.with(
                owner: server.connectionString(user: "entitled", database: "entitled"),
                service: server.connectionString(user: "entitled_service", database: "entitled")
            ) { service in
                let client = service.client
                let plan = LoadPlan(accounts: count, seed: seed)
                let requests = try await plan.requests(0..<count, as: .notification, signedBy: service.chain.signer)
                let answers = Mutex<[Int: Int]>([:])
                async let load: Void = client.deliver(requests, connections: 8, untilAcknowledged: true) { _, status in
                    answers.withLock { $0[status, default: 0] += 1 }
                    return true
                }
                #expect(await eventually { answers.withLock { $0[200, default: 0] } >= count / 4 })

                try await server.stop(.fast)
                #expect(await eventually { answers.withLock { $0[503, default: 0] } >= 8 })
                try await expectUnavailable(client, requests[0])
                // The process itself is well, and says so: restarting it would not help.
                #expect(try await client.send("GET", "/healthz").status == 200)
                #expect(try await client.send("GET", "/metrics").status == 200)
                // What it knows of the database may be a quarter of a second old.
                #expect(try await eventually { try await client.send("GET", "/readyz").status == 503 })

                try await server.start()
                try await load
                #expect(answers.withLock { Set($0.keys) } == [200, 503], "seed \(seed)")
                #expect(try await eventually { try await client.send("GET", "/readyz").status == 200 })
                try await expectAvailable(client, requests[0])
                // The catalog and each notification once.
                #expect(try await service.eventCount() == Int64(count + 1))
                let broken = try await withDatabase(service.database) { try HashChain($0).broken }
                #expect(broken == [])
            }
            try await server.remove()
        }

        private func expectUnavailable(_ client: ServiceClient, _ request: LoadRequest) async throws {
            let notification = try await client.notify(request.body)
            #expect(notification.status == 503)
            #expect(notification.json["error"]?["reason"] == "unavailable", "\(notification.json)")
            for method in ["entitlements.get", "events.list"] {
                let answer = try await client.call(method, ["account": .string(request.account.description)])
                #expect(answer["error"]?["data"]?["reason"] == "unavailable", "\(answer)")
                #expect(answer["error"]?["data"]?["retryable"] == true, "\(answer)")
            }
        }

        private func expectAvailable(_ client: ServiceClient, _ request: LoadRequest) async throws {
            #expect(try await client.notify(request.body).status == 200)
            let answer = try await client.call("entitlements.get", ["account": .string(request.account.description)])
            #expect(answer["result"]?["entitlements"]?[0]?["entitlement"] == "pro", "\(answer)")
        }

        @Test func aDatabaseThatFellSilentHoldsNothingUpThatNeedsNone() async throws {
            let server = try await PrivateServer.start()
            try await ServeService.with(
                owner: server.connectionString(user: "entitled", database: "entitled"),
                service: server.connectionString(user: "entitled_service", database: "entitled")
            ) { service in
                let requests = try await LoadPlan(accounts: 20, seed: 1).requests(
                    0..<20,
                    as: .notification,
                    signedBy: service.chain.signer
                )
                let client = service.client
                server.pause()
                let statuses = Mutex<[Int]>([])
                async let load: Void = client.deliver(requests) { _, status in
                    statuses.withLock { $0.append(status) }
                    return true
                }
                // With every append stuck, what needs no database is answered at once.
                for _ in 0..<20 {
                    #expect(try await client.send("GET", "/healthz").status == 200)
                    let answer = try await client.call("no.such.method", [:])
                    #expect(answer["error"]?["code"] == -32601)
                }
                #expect(statuses.withLock { $0 } == [], "nothing can be acknowledged now")
                server.resume()
                try await load
                #expect(statuses.withLock { $0 } == Array(repeating: 200, count: 20))
                #expect(try await service.eventCount() == 21)
            }
            try await server.remove()
        }
    }
}
