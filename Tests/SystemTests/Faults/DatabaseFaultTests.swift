import Foundation
import Glibc
import Postgres
import Simulator
import StoreTesting
import TestKit
import Testing

extension SystemTests {
    /// PostgreSQL is stopped, killed, frozen, made read-only and filled up under load, by two instances.
    @Suite struct DatabaseFaultTests {
        @Test func whateverHappensToTheDatabaseNothingAcknowledgedIsLost() async throws {
            try await FaultSite.with("whateverHappensToTheDatabaseNothingAcknowledgedIsLost") { site in
                var random = SeededGenerator(seed: site.seed)
                for _ in 0..<FaultSite.rounds {
                    for (name, mode) in Self.stops {
                        try await site.suffer(name) {
                            await site.wait(for: Int.random(in: 1...100, using: &random))
                            try await site.server.stop(mode)
                            await site.wait(for: 20)
                            try await site.server.start()
                        }
                    }
                    try await site.suffer("read-only") {
                        try await Self.set("default_transaction_read_only", "on", site)
                        await site.wait(for: 40)
                        try await Self.set("default_transaction_read_only", nil, site)
                    }
                    try await site.suffer("sessions ended") {
                        try await withDatabase(site.owner) {
                            try $0.execute(
                                """
                                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                WHERE usename = 'entitled_service'
                                """
                            )
                        }
                    }
                    try await site.suffer("no connections left") { try await Self.takeAllConnections(site) }
                    try await site.suffer("frozen") {
                        site.server.pause()
                        try await Task.sleep(for: .seconds(1))
                        site.server.resume()
                    }
                    try await site.suffer("the log's lock held") {
                        try await withDatabase(site.owner) { session in
                            try session.execute("BEGIN; SELECT FROM entitled.log_head FOR UPDATE")
                            usleep(700_000)
                            try session.execute("ROLLBACK")
                        }
                    }
                }
            }
        }

        private static let stops: [(String, EmbeddedPostgres.StopMode)] = [
            ("stopped and started", .fast), ("stopped at once", .immediate), ("SIGKILL of the postmaster", .kill),
        ]

        private static func set(_ name: String, _ value: String?, _ site: FaultSite) async throws {
            try await withDatabase(site.owner) { session in
                try session.execute("SET default_transaction_read_only = off")
                try session.execute(value.map { "ALTER SYSTEM SET \(name) = \($0)" } ?? "ALTER SYSTEM RESET \(name)")
                try session.execute("SELECT pg_reload_conf()")
            }
        }

        /// Another client takes what there is, the sessions of the service too, and gives it back.
        private static func takeAllConnections(_ site: FaultSite) async throws {
            let service = site.server.connectionString(user: "entitled_service", database: "entitled")
            let owner = site.owner
            try await onOwnThread {
                let superuser = try PostgresSession(PostgresConfiguration(connectionString: owner))
                var taken: [PostgresSession] = []
                let deadline = ContinuousClock.now + .milliseconds(1_000)
                while ContinuousClock.now < deadline {
                    let configuration = PostgresConfiguration(
                        connectionString: service,
                        applicationName: "a greedy neighbour"
                    )
                    do {
                        taken.append(try PostgresSession(configuration))
                    } catch {
                        try superuser.execute(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE usename = 'entitled_service' AND application_name <> 'a greedy neighbour'
                            """
                        )
                        usleep(20_000)
                    }
                }
                #expect(taken.count > 40, "not enough was taken to hurt")
                for session in taken { session.close() }
            }
        }

        @Test func aFullDiskIsTemporary() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "entitled-full-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.path(percentEncoded: false)
            guard geteuid() == 0, unsafe mount("tmpfs", path, "tmpfs", 0, "size=200m,mode=0755") == 0 else {
                print("aFullDiskIsTemporary: skipped, a small file system can only be mounted by root")
                return
            }
            defer { unsafe umount2(path, Int32(MNT_DETACH)) }
            var plan = FaultSite.Plan()
            plan.parent = folder
            // The log of the server needs new files soon, so that they are what the disk has no room for.
            plan.serverSettings["max_wal_size"] = "48MB"
            plan.serverSettings["min_wal_size"] = "32MB"
            try await FaultSite.with("aFullDiskIsTemporary", plan) { site in
                for _ in 0..<FaultSite.rounds {
                    try await site.suffer("disk full") { try await Self.fillDisk(folder, site) }
                    // A session that ends without a word lets the server recover, for which it rarely has room: it ends.
                    try await site.suffer("crash on a full disk") {
                        try await Self.fillDisk(folder, site) {
                            try? await withDatabase(site.owner) { _ = kill($0.processID, SIGKILL) }
                            await site.wait(for: 20)
                        }
                    }
                }
            }
        }

        /// Leaves no room on the server's disk until nothing is accepted any more and `moment` is over.
        private static func fillDisk(
            _ folder: URL,
            _ site: FaultSite,
            _ moment: () async throws -> Void = {}
        ) async throws {
            let fill = folder.appending(path: "fill")
            try Self.fill(fill)
            let refusals = { site.traffic.record.answers["503 unavailable", default: 0] }
            let before = refusals()
            #expect(await eventually { refusals() >= before + 20 }, "the disk was not full")
            try await moment()
            try FileManager.default.removeItem(at: fill)
            // A server that could not write its own log has ended or is about to, and its supervisor starts it again.
            #expect(
                await eventually { await site.server.isUpAgain() },
                "the server does not come back: \(site.server.logTail)"
            )
        }

        private static func fill(_ file: URL) throws {
            _ = FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil)
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            for size in [1 << 20, 1 << 12] {
                let piece = Data(count: size)
                while (try? handle.write(contentsOf: piece)) != nil {}
            }
        }
    }
}
