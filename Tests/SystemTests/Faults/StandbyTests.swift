import EntitlementDomain
import Foundation
import Glibc
import JSON
import Postgres
import Simulator
import StoreTesting
import TestKit
import Testing

extension SystemTests {
    /// Look-ups from a hot standby that follows by streaming replication, and its promotion.
    @Suite struct StandbyTests {
        /// A primary with a standby, an instance that writes, and two on the standby: for look-ups, and in waiting.
        private struct Site {
            let primary: PrivateServer
            let standby: PrivateServer
            let setup: ServeSetup
            let writer: ServiceClient
            let reader: ServiceClient
            let heir: ServiceClient

            /// The number of subscriptions bought so far gives the next one.
            func buy(_ index: Int, periods: Int = 1, at client: ServiceClient) async throws -> (JSONValue, LoadRequest)
            {
                var plan = LoadPlan(accounts: 100, seed: 1)
                plan.periods = 2
                let number = (periods - 1) * plan.accounts + index
                let request = try plan.request(number, as: .upload, signedBy: setup.chain.signer)
                return (try await client.rpc(request.body).json, request)
            }

            func check(
                _ request: LoadRequest,
                minPosition: JSONValue? = nil,
                waitMilliseconds: Int64 = 5_000
            ) async throws -> JSONValue {
                var parameters: JSONObject = [
                    "account": .string(request.account.description), "entitlement": "pro",
                    "at": JSONValue(request.expiresAt.milliseconds - 1),
                ]
                if let minPosition {
                    parameters["minPosition"] = minPosition
                    parameters["waitMs"] = JSONValue(waitMilliseconds)
                }
                return try await reader.call("entitlements.check", parameters)
            }
        }

        private static func with(_ body: (Site) async throws -> Void) async throws {
            let settings = ["wal_level": "replica", "max_wal_senders": "5", "max_connections": "60"]
            try await TemporaryFolder.use { folder in
                let primary = try await PrivateServer.start(settings: settings)
                let setup = try await ServeSetup.make(
                    in: folder,
                    owner: primary.connectionString(user: "entitled", database: "entitled"),
                    service: primary.connectionString(user: "entitled_service", database: "entitled")
                )
                let standby = try await PrivateServer.standby(of: primary, settings: settings)
                let place = standby.connectionString(user: "entitled_service", database: "entitled")
                let reading = folder.appending(path: "reading.json")
                var configuration =
                    try JSONParser.parse([UInt8](Data(contentsOf: URL(filePath: setup.configuration)))).objectValue
                    ?? JSONObject()
                configuration["database"] = .string(place)
                configuration["readOnly"] = true
                try Data(JSONValue.object(configuration).serialized()).write(to: reading)

                let programs = [
                    try RunningProgram(["serve", "--config", setup.configuration]),
                    try RunningProgram(["serve", "--config", reading.path(percentEncoded: false)]),
                    try RunningProgram(
                        ["serve", "--config", setup.configuration],
                        environment: ["ENTITLED_DATABASE": place]
                    ),
                ]
                var clients: [ServiceClient] = []
                for program in programs {
                    let url = try await program.firstLine().split(separator: " ").last.map(String.init) ?? ""
                    clients.append(try ServiceClient(url: url, key: setup.key))
                }
                try await body(
                    Site(
                        primary: primary,
                        standby: standby,
                        setup: setup,
                        writer: clients[0],
                        reader: clients[1],
                        heir: clients[2]
                    )
                )
                for program in programs {
                    program.signal(SIGTERM)
                    #expect(await program.end() == 0)
                }
                try await standby.remove()
                try await primary.remove()
            }
        }

        @Test func aStandbyAnswersLookUpsAndHonoursPositionsUntilItIsPromoted() async throws {
            try await Self.with { site in
                // What was written on the primary is there when it is asked for with its position.
                let (bought, request) = try await site.buy(0, at: site.writer)
                let position = try #require(bought["result"]?["position"], "\(bought)")
                #expect(try await site.check(request, minPosition: position)["result"]?["active"] == true)

                // An answer from memory follows what the standby replays, without a word from anybody.
                let account: JSONObject = ["account": .string(request.account.description)]
                func expiry() async throws -> JSONValue? {
                    try await site.reader.call("entitlements.get", account)["result"]?["entitlements"]?[0]?["expiresAt"]
                }
                let before = try await expiry()
                let (renewed, renewal) = try await site.buy(0, periods: 2, at: site.writer)
                #expect(renewed["result"] != nil, "\(renewed)")
                #expect(renewal.expiresAt > request.expiresAt)
                #expect(try await eventually { try await expiry() != before })

                // A standby that is behind says so, when a position is asked for.
                try await site.standby.run { try $0.execute("SELECT pg_wal_replay_pause()") }
                let (second, other) = try await site.buy(1, at: site.writer)
                let next = try #require(second["result"]?["position"], "\(second)")
                let late = try await site.check(other, minPosition: next, waitMilliseconds: 200)
                #expect(late["error"]?["data"]?["reason"] == "positionNotReached", "\(late)")
                #expect(try await site.check(other)["result"]?["active"] == false)
                async let waiting = site.check(other, minPosition: next, waitMilliseconds: 20_000)
                try await site.standby.run { try $0.execute("SELECT pg_wal_replay_resume()") }
                #expect(try await waiting["result"]?["active"] == true)

                try await expectNoWrites(site)
                try await promote(site, after: next)
            }
        }

        /// Both instances on the standby refuse writes in a way that makes callers come again, and say what they are.
        private func expectNoWrites(_ site: Site) async throws {
            let plan = LoadPlan(accounts: 100, seed: 2)
            let body = try plan.request(0, as: .notification, signedBy: site.setup.chain.signer).body
            for (client, words) in [(site.reader, "readOnly"), (site.heir, "standby")] {
                let (answer, _) = try await site.buy(2, at: client)
                #expect(answer["error"]?["data"]?["reason"] == "unavailable", "\(answer)")
                #expect(answer["error"]?["data"]?["retryable"] == true, "\(answer)")
                let notification = try await client.notify(body)
                #expect(notification.status == 503)
                #expect(answer["error"]?["message"]?.stringValue?.contains(words) == true, "\(answer)")
            }
            #expect(try await site.reader.send("GET", "/readyz").status == 200)
            let heir = try await site.heir.send("GET", "/readyz")
            #expect(heir.status == 503)
            #expect(String(decoding: heir.body, as: UTF8.self).contains("is a standby"))
            let metrics = String(decoding: try await site.reader.send("GET", "/metrics").body, as: UTF8.self)
            #expect(metrics.contains("\nentitled_database_standby 1.0\n"))
            #expect(metrics.contains("\nentitled_read_only 1.0\n"))
            #expect(metrics.contains("\nentitled_replay_lag_seconds "))
        }

        /// The primary dies and the standby takes its place: the instance in waiting begins to write, by itself, in a new
        /// epoch.
        private func promote(_ site: Site, after old: JSONValue) async throws {
            try await site.primary.stop(.kill)
            try await site.standby.run { try $0.execute("SELECT pg_promote()") }
            #expect(try await eventually { try await site.heir.send("GET", "/readyz").status == 200 })
            let (bought, request) = try await site.buy(3, at: site.heir)
            let position = try #require(bought["result"]?["position"], "\(bought)")
            #expect(position.stringValue?.hasPrefix("2:") == true, "\(position)")
            #expect(try await site.check(request, minPosition: position)["result"]?["active"] == true)
            let refused = try await site.check(request, minPosition: old, waitMilliseconds: 200)
            #expect(refused["error"]?["data"]?["reason"] == "positionNotReached", "\(refused)")
            #expect(try await site.writer.send("GET", "/readyz").status == 503)
            // It reads from a primary now, and still writes nothing.
            let (answer, _) = try await site.buy(4, at: site.reader)
            #expect(answer["error"]?["data"]?["reason"] == "unavailable", "\(answer)")
            let metrics = String(decoding: try await site.reader.send("GET", "/metrics").body, as: UTF8.self)
            #expect(metrics.contains("\nentitled_database_standby 0.0\n"))
        }
    }
}
