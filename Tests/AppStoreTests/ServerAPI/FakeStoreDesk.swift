import AppStore
import EntitlementDomain
import HTTPServer
import JSON
import Simulator
import X509

/// A fake App Store on a port of its own, and a client that reaches it over loopback. Time is virtual: it begins at
/// `SigningDesk.now`, and waiting moves it on.
struct FakeStoreDesk {
    static let credentials = Result { try FakeCredentials.make() }
    static let account = AccountID(high: 0x1111_1111_1111_4111, low: 0x8111_1111_1111_1111)

    let store: FakeAppStore
    let client: ServerAPIClient
    let time: VirtualTime
    let url: String

    /// Runs a test against a new store and takes the store down.
    static func run(
        environments: Set<StoreEnvironment> = [.production, .sandbox],
        credentials: ServerAPICredentials? = nil,
        bundleID: String = "com.example.app",
        _ body: (FakeStoreDesk) async throws -> Void
    ) async throws {
        let signing = try SigningDesk.shared.get()
        let fake = try Self.credentials.get()
        var configuration = FakeAppStore.Configuration(
            credentials: fake,
            signer: signing.chain.signer,
            startsAt: SigningDesk.now
        )
        configuration.stranger = signing.foreignChain.signer
        let time = VirtualTime()
        configuration.wallClock = { time.now }
        let store = FakeAppStore(configuration, transport: URLSessionTransport(timeout: .seconds(60)))
        let listener = try HTTPListener.start(HTTPServerConfiguration(), handler: FakeAppStoreServer(store))
        let url = "http://127.0.0.1:\(listener.port)"
        let client = ServerAPIClient(
            credentials: credentials ?? fake.credentials,
            bundleID: bundleID,
            hosts: ServerAPIHosts(production: url + "/production", sandbox: url + "/sandbox"),
            transport: URLSessionTransport(timeout: .seconds(60)),
            reader: try signing.reader(environments: environments),
            timing: time.timing()
        )
        do {
            try await body(FakeStoreDesk(store: store, client: client, time: time, url: url))
        } catch {
            await listener.stop()
            throw error
        }
        await listener.stop()
    }

    /// A subscription that was bought now.
    func subscription(in environment: StoreEnvironment = .production) throws -> String {
        try store.buy(.monthly("pro.monthly"), account: Self.account, in: environment)
    }
}
