import AppStore
import EntitlementDomain
import EntitlementService
import HTTPServer
import Simulator
import Testing
import X509

struct DoctorTests {
    private func examine(
        _ desk: HealingDesk,
        in environment: StoreEnvironment = .production,
        clock: (@Sendable () -> Instant)? = nil,
        changing change: (inout AppStoreAccess) -> Void = { _ in }
    ) async throws -> (isGood: Bool, findings: [DoctorFinding]) {
        var access = try #require(desk.configuration.appStore)
        let fake = desk.fake
        // Waiting lets the App Store deliver. Loopback answers carry this machine's time, which the fake one has not.
        access.transport = WithoutDate(transport: access.transport)
        access.timing = ServerAPITiming(
            now: clock ?? { fake.now },
            sleep: { _ in try await fake.deliverDue() },
            random: { 0 }
        )
        change(&access)
        let doctor = try Doctor(
            desk.configuration,
            access: access,
            store: desk.server.store,
            patience: .seconds(3),
            clock: { fake.now }
        )
        var findings: [DoctorFinding] = []
        let isGood = await doctor.examine("com.example.app", in: environment) { findings.append($0) }
        return (isGood, findings)
    }

    private struct WithoutDate: ServerAPITransport {
        var transport: any ServerAPITransport
        var date: String?

        func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply {
            var reply = try await transport.send(call)
            reply.date = date
            return reply
        }
    }

    @Test(arguments: [StoreEnvironment.production, .sandbox])
    func allIsWell(environment: StoreEnvironment) async throws {
        let desk = try await HealingDesk.make()
        let (isGood, findings) = try await examine(desk, in: environment)
        #expect(isGood)
        #expect(
            findings.map(\.step) == [
                .configuration, .database, .network, .credentials, .notificationURL, .signature, .delivery, .arrival,
            ]
        )
        #expect(findings.allSatisfy { $0.isGood })
        try await desk.close()
    }

    private func expectProblem(
        _ step: DoctorFinding.Step,
        _ result: (isGood: Bool, findings: [DoctorFinding]),
        says text: String
    ) {
        #expect(!result.isGood)
        #expect(result.findings.last?.step == step)
        #expect(result.findings.last?.isGood == false)
        #expect(result.findings.last?.text.contains(text) == true, "\(String(describing: result.findings.last?.text))")
        #expect(result.findings.dropLast().allSatisfy { $0.isGood })
    }

    @Test func nobodyAnswers() async throws {
        let desk = try await HealingDesk.make()
        let result = try await examine(desk, changing: { $0.hosts.production = "http://127.0.0.1:1" })
        expectProblem(.network, result, says: "outgoing HTTPS")
        try await desk.close()
    }

    @Test func aWrongKey() async throws {
        let desk = try await HealingDesk.make()
        let result = try await examine(
            desk,
            changing: { access in
                if let key = try? P256PrivateKey.generate() { access.credentials.key = key }
            }
        )
        expectProblem(.credentials, result, says: "keyFile")
        try await desk.close()
    }

    @Test func aWrongClock() async throws {
        let desk = try await HealingDesk.make()
        let result = try await examine(
            desk,
            changing: { access in
                access.transport = WithoutDate(
                    transport: URLSessionTransport(),
                    date: "Sun, 01 Mar 2026 00:05:00 GMT"
                )
            }
        )
        expectProblem(.clock, result, says: "300 seconds behind")
        try await desk.close()
    }

    @Test func noURLInAppStoreConnect() async throws {
        let desk = try await HealingDesk.make()
        desk.fake.setNotificationURL(nil, in: .production)
        expectProblem(.notificationURL, try await examine(desk), says: "App Store Connect has no URL")
        try await desk.close()
    }

    @Test func anUntrustedRoot() async throws {
        let desk = try await HealingDesk.make(trusts: false)
        expectProblem(.signature, try await examine(desk), says: "trustRoots")
        try await desk.close()
    }

    @Test func nobodyAtTheURL() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        expectProblem(.delivery, try await examine(desk), says: "firewall")
        try await desk.close()
    }

    @Test func theURLLeadsElsewhere() async throws {
        let desk = try await HealingDesk.make()
        let elsewhere = try await HealingDesk.make()
        // The examined database is another one than the one that the notification goes into.
        let other = try Doctor(
            desk.configuration,
            access: {
                var access = desk.configuration.appStore!
                let fake = desk.fake
                access.transport = WithoutDate(transport: access.transport)
                access.timing = ServerAPITiming(
                    now: { fake.now },
                    sleep: { _ in try await fake.deliverDue() },
                    random: { 0 }
                )
                return access
            }(),
            store: elsewhere.server.store,
            patience: .seconds(2),
            clock: { [fake = desk.fake] in fake.now }
        )
        var findings: [DoctorFinding] = []
        let isGood = await other.examine("com.example.app", in: .production) { findings.append($0) }
        expectProblem(.arrival, (isGood, findings), says: "another service")
        try await desk.close()
        try await elsewhere.close()
    }
}
