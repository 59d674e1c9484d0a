import AppStore
import EntitlementDomain
import JSON
import Simulator
import Testing
import X509

/// One failure of each kind, over loopback.
struct ServerAPIFaultTests {
    @Test(arguments: ServerAPIErrorCode.allCases)
    func everyCodeOfTheTableIsTypedAndTreatedAsItSays(code: ServerAPIErrorCode) async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            desk.store.inject(InjectedFault(.code(code.rawValue)))
            let error = await serverAPIError { () async throws(ServerAPIError) in
                _ = try await desk.client.transactionInfo(id)
            }
            switch code {
            case _ where code.isRetryable: #expect(error == nil, "one failure is got over")
            // The Sandbox does not know the transaction either.
            case .transactionIDNotFound, .originalTransactionIDNotFound: #expect(error?.code == .transactionIDNotFound)
            default: #expect(error?.code == code)
            }
            #expect(desk.time.waits.count == (code.isRetryable ? 1 : 0))
        }
    }

    @Test(arguments: ServerAPIErrorCode.allCases.filter(\.isRetryable))
    func aFailureThatStaysIsReported(code: ServerAPIErrorCode) async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            desk.store.inject(InjectedFault(.code(code.rawValue), times: nil))
            let error = await serverAPIError { () async throws(ServerAPIError) in
                _ = try await desk.client.transactionInfo(id)
            }
            if code == .rateLimitExceeded {
                #expect(error == .rateLimited(until: nil))
            } else {
                #expect(error?.code == code)
            }
            #expect(error?.isTemporary == true)
            #expect(desk.time.waits.count == 4)
        }
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        var effect: InjectedFault.Effect
        var isOvercome: Bool
        var isExpected: @Sendable (ServerAPIError) -> Bool
        var testDescription: String { "\(effect)" }
    }

    static let troubles = [
        Trouble(effect: .status(502), isOvercome: true) { $0 == .refused(ServerAPIRefusal(status: 502)) },
        Trouble(effect: .status(403), isOvercome: false) { $0 == .refused(ServerAPIRefusal(status: 403)) },
        Trouble(effect: .code(4_009_999), isOvercome: false) {
            if case .refused(let refusal) = $0 { refusal.code == 4_009_999 && refusal.known == nil } else { false }
        },
        Trouble(effect: .cut, isOvercome: true) { if case .unreachable = $0 { true } else { false } },
        Trouble(effect: .garbage, isOvercome: false) { if case .malformedResponse = $0 { true } else { false } },
        Trouble(effect: .forgery, isOvercome: false) {
            if case .untrusted(let error) = $0 { error.reason == .invalidChain } else { false }
        },
        Trouble(effect: .unauthorized, isOvercome: true) { $0 == .unauthorized },
        Trouble(effect: .redirect("http://127.0.0.1:9/elsewhere"), isOvercome: false) {
            $0 == .refused(ServerAPIRefusal(status: 302))
        },
        Trouble(effect: .rateLimit(milliseconds: 2_000), isOvercome: true) {
            if case .rateLimited(.some) = $0 { true } else { false }
        },
    ]

    @Test(arguments: troubles)
    func otherTroubleOnceAndForGood(trouble: Trouble) async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            desk.store.inject(InjectedFault(trouble.effect))
            let once = await serverAPIError { () async throws(ServerAPIError) in
                _ = try await desk.client.transactionInfo(id)
            }
            #expect((once == nil) == trouble.isOvercome)
            desk.store.inject(InjectedFault(trouble.effect, times: nil))
            let always = await serverAPIError { () async throws(ServerAPIError) in
                _ = try await desk.client.transactionInfo(id)
            }
            #expect(always.map(trouble.isExpected) == true, "\(String(describing: always))")
        }
    }

    @Test func endlessPagesAreNoticed() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            desk.store.inject(InjectedFault(.endlessPages, times: nil))
            let error = await serverAPIError { () async throws(ServerAPIError) in
                var pages = desk.client.transactionHistoryPages(of: id, in: .production)
                while try await pages.next() != nil {}
            }
            #expect(error == .endlessPaging(pages: 2))
        }
    }

    @Test func anEndpointsRateLimitIsWaitedOut() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            desk.store.setCallsPerHour(2)
            // 59 minutes and 30 seconds past the hour, so that the limit ends soon.
            desk.time.now = desk.time.now.advanced(byMilliseconds: 59 * 60_000 + 25_000)
            for _ in 0..<3 { _ = try await desk.client.transactionInfo(id) }
            #expect(desk.time.waits == [.seconds(30)])
        }
    }

    @Test func nobodyAnswers() async throws {
        let transport = URLSessionTransport(timeout: .seconds(60))
        let call = ServerAPICall(method: "GET", url: "http://127.0.0.1:1/x", headers: [:], body: nil)
        await #expect(throws: ServerAPITransportFailure.self) { try await transport.send(call) }
    }

    // MARK: Tokens

    @Test(arguments: ["issuer", "key id", "key", "bundle"])
    func aWrongTokenIsRefused(part: String) async throws {
        let good = try FakeStoreDesk.credentials.get()
        var wrong = good.credentials
        switch part {
        case "issuer": wrong.issuerID = "another"
        case "key id": wrong.keyID = "ANOTHER"
        case "key": wrong.key = try .generate()
        default: break
        }
        let bundleID = part == "bundle" ? "com.example.other" : "com.example.app"
        try await FakeStoreDesk.run(credentials: wrong, bundleID: bundleID) { desk in
            let id = try desk.subscription()
            let error = await serverAPIError { () async throws(ServerAPIError) in
                _ = try await desk.client.transactionInfo(id)
            }
            #expect(error == .unauthorized)
        }
    }

    @Test func aTokenThatEndsIsReplaced() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            for _ in 0..<5 {
                _ = try await desk.client.transactionInfo(id)
                desk.time.now = desk.time.now.advanced(byMilliseconds: 200_000)
            }
            #expect(desk.time.waits.isEmpty, "no token was refused")
        }
    }
}
