import EntitlementDomain
import Foundation
import Glibc
import Postgres
import Simulator
import StoreTesting
import Synchronization
import TestKit
import Testing

/// A PostgreSQL, instances of the service, and load on them that never ends while a test does harm.
final class FaultSite: Sendable {
    /// How a site is set up.
    struct Plan: Sendable {
        var instances = 2
        /// Whether the services reach the database through a `Relay`.
        var hasRelay = false
        /// The directory that holds the database; nil: the one for temporary files.
        var parent: URL?
        /// Variables of the services.
        var environment: [String: String] = [:]
        var serverSettings = ["max_connections": "60"]
        var mix = TrafficOptions.Mix()
        var workers = 8
        /// Works a second; nil: as fast as they are answered.
        var rate: Double?
    }

    let server: PrivateServer
    let relay: Relay?
    let instances: FaultInstances
    let traffic: Traffic
    let plan: Plan
    let seed: UInt64
    let key: String
    /// A connection string of the database's owner, past the relay.
    let owner: String
    private let counts = Mutex<[String: Int]>([:])

    private init(
        server: PrivateServer,
        relay: Relay?,
        instances: FaultInstances,
        traffic: Traffic,
        plan: Plan,
        seed: UInt64,
        key: String
    ) {
        (self.server, self.relay, self.instances, self.traffic) = (server, relay, instances, traffic)
        (self.plan, self.seed, self.key) = (plan, seed, key)
        owner = server.connectionString(user: "entitled", database: "entitled")
    }

    /// Whether tests take their long form.
    static let isLong = ProcessInfo.processInfo.environment["ENTITLED_LONG"] != nil
    /// How often the long form does all it can do: `ENTITLED_FAULT_ROUNDS`, 10 by default.
    static let rounds =
        isLong ? ProcessInfo.processInfo.environment["ENTITLED_FAULT_ROUNDS"].flatMap { Int($0) } ?? 10 : 1

    /// The most sessions an instance has: readers, look-ups, writer, follower, feed, listener.
    static let sessionsPerInstance =
        4 + 1 + min(max(ProcessInfo.processInfo.activeProcessorCount, 2), 8) + 1 + 1 + 1 + 1

    /// Sets a site up, puts load on it while work runs, and sees to it in the end that everything that was sent is in the
    /// log exactly once.
    ///
    /// - Parameter afterwards: called when the load has ended and all is in the log.
    static func with(
        _ name: String,
        _ plan: Plan = Plan(),
        _ body: (FaultSite) async throws -> Void,
        afterwards: (FaultSite) async throws -> Void = { _ in }
    ) async throws {
        let seed = SeededGenerator.seedOfThisRun(name)
        try await TemporaryFolder.use { folder in
            let server = try await PrivateServer.start(in: plan.parent, settings: plan.serverSettings)
            let relay = plan.hasRelay ? try Relay(to: server.socketPath) : nil
            let setup = try await ServeSetup.make(
                in: folder,
                owner: server.connectionString(user: "entitled", database: "entitled"),
                service: relay.map {
                    "postgresql://entitled_service@127.0.0.1:\($0.port)/entitled?sslmode=disable&gssencmode=disable"
                } ?? server.connectionString(user: "entitled_service", database: "entitled")
            )
            let instances = FaultInstances(setup, environment: plan.environment)
            for _ in 0..<plan.instances { try await instances.add() }
            var options = TrafficOptions(seed: seed, key: setup.key)
            (options.mix, options.workers, options.rate) = (plan.mix, plan.workers, plan.rate)
            let traffic = Traffic(options, signer: setup.chain.signer) {
                instances.ports.map { TrafficOptions.Target(port: $0) }
            }
            let site = FaultSite(
                server: server,
                relay: relay,
                instances: instances,
                traffic: traffic,
                plan: plan,
                seed: seed,
                key: setup.key
            )
            let isOver = Mutex(false)
            async let isDrained = traffic.run { isOver.withLock { $0 } }
            var failure: (any Error)?
            do {
                try await site.expectProgress("before the first fault")
                try await body(site)
            } catch {
                failure = error
            }
            isOver.withLock { $0 = true }
            let drained = await isDrained
            if failure == nil {
                #expect(drained, "\(name), seed \(seed): not everything was acknowledged in the end")
                try await site.check("in the end")
                try await afterwards(site)
                site.report(name)
            }
            await instances.stop()
            relay?.close()
            try await server.remove()
            if let failure { throw failure }
        }
    }

    /// Counts what was done, for the figure at the end.
    func count(_ what: String) { counts.withLock { $0[what, default: 0] += 1 } }

    private func report(_ name: String) {
        let record = traffic.record
        let faults = counts.withLock { $0 }
        #expect(record.faultCount == 0, "\(name), seed \(seed): \(record.faults.prefix(5))")
        print(
            """
            \(name): \(faults.values.reduce(0, +)) faults \
            (\(faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))), \
            \(record.acknowledged.count) statements acknowledged, \(record.repetitions) of them again, \
            answers \(record.answers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
            """
        )
    }

    /// A client of an instance.
    func client(_ place: Int) throws -> ServiceClient {
        try ServiceClient(url: "http://127.0.0.1:\(instances.all[place].port)", key: key)
    }
}
