import AppStore
import EntitlementDomain
import Foundation
import HTTPServer
import Simulator

/// `entitled simulate app-store`.
enum SimulateAppStoreCommand: Command {
    static let words = ["simulate", "app-store"]
    static let summary = "Run a fake App Store: its Server API, notifications with Apple's retries, a clock of its own."
    static let options = [
        Option("port", "N", "port on 127.0.0.1; 0: any free one; default 8090"),
        Option(
            "data",
            "DIR",
            "where the In-App Purchase key lies, made when it is not there; default .entitled/app-store"
        ),
        Option(
            "chain",
            "DIR",
            "directory of the throwaway chain that signs; made when it is not there; default .entitled/chain"
        ),
        Option("notify", "URL", "where notifications go; default http://127.0.0.1:8080/appstore/notifications"),
        Option("bundle", "ID", "bundle id of the app; default com.example.app"),
        Option("apple-id", "N", "Apple id of the app; default 1234567890"),
    ]
    static let discussion = """
        The two hosts of the API are URL/production and URL/sandbox. What customers do, and what fails, is told by
        commands: curl -d '{"do":"buy","product":"pro.monthly","account":"…"}' URL/control
          buy, refund, reverseRefund, setCard (declined), setAutoRenew (on), upgrade, downgrade, resubscribe,
          requestConsumption, advance (hours), notify (url), limit (callsPerHour), state,
          fail (code, status, rateLimitSeconds, or with: cut, garbage, forgery, endlessPages, unauthorized; path, times,
          always), heal
        Time passes as it does elsewhere, and 'advance' moves it on: renewals and repeated deliveries come in their order.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let port = try arguments.integer("port", in: 0...65_535) ?? 8090
        let directory = URL(filePath: arguments.value("data") ?? ".entitled/app-store")
        let chainDirectory = URL(filePath: arguments.value("chain") ?? ".entitled/chain")
        let (credentials, chain): (FakeCredentials, ThrowawayChain)
        do {
            chain = try Self.chain(in: chainDirectory)
            credentials = try FakeCredentials(directory: directory)
        } catch {
            throw CommandError(.noInput, "the key or the chain cannot be read or written: \(error)")
        }
        var app = FakeApp()
        if let bundleID = arguments.value("bundle") { app.bundleID = bundleID }
        if let appleID = try arguments.integer("apple-id", in: 1...Int.max) { app.appAppleID = Int64(appleID) }
        var configuration = FakeAppStore.Configuration(
            app: app,
            credentials: credentials,
            signer: chain.signer,
            startsAt: SystemClock.now()
        )
        configuration.stranger = try ThrowawayChain.make(validity: ScenarioSigning.validity).signer
        configuration.wallClock = SystemClock.now
        configuration.idsAfter = UInt64(max(SystemClock.now().milliseconds, 0))
        let store = FakeAppStore(configuration, transport: URLSessionTransport(timeout: .seconds(10)))
        let notify = arguments.value("notify") ?? "http://127.0.0.1:8080/appstore/notifications"
        store.setNotificationURL(notify, in: .production)
        store.setNotificationURL(notify, in: .sandbox)
        var http = HTTPServerConfiguration()
        http.port = UInt16(port)
        let listener: HTTPListener
        do {
            listener = try HTTPListener.start(http, handler: FakeAppStoreServer(store))
        } catch {
            throw CommandError(.unavailable, "\(error)")
        }
        let stop = StopSignal(andHangUp: true)
        print(welcome(url: "http://127.0.0.1:\(listener.port)", credentials, directory, chainDirectory))
        fflush(nil)
        let clock = Task { await keepTime(store) }
        await stop.wait()
        clock.cancel()
        await listener.stop()
    }

    /// Lets the virtual clock go as fast as the real one, from wherever it was moved to.
    private static func keepTime(_ store: FakeAppStore) async {
        var last = SystemClock.now()
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(250))
            let now = SystemClock.now()
            let passed = max(0, now.milliseconds - last.milliseconds)
            last = now
            // A faulty signature would show at the next command.
            try? await store.advance(to: store.now.advanced(byMilliseconds: passed))
        }
    }

    private static func chain(in directory: URL) throws -> ThrowawayChain {
        if let chain = try? ThrowawayChain(directory: directory) { return chain }
        let chain = try ThrowawayChain.make(validity: ScenarioSigning.validity)
        try chain.write(to: directory)
        return chain
    }

    private static func welcome(
        url: String,
        _ credentials: FakeCredentials,
        _ directory: URL,
        _ chain: URL
    ) -> String {
        """
        the fake App Store answers at \(url); commands go to \(url)/control
        trusted by a service with "trustRoots": ["\(ThrowawayChain.rootFile(in: chain).path)"] and

          "appStore": { "issuerId": "\(credentials.issuerID)", "keyId": "\(credentials.keyID)",
                        "keyFile": "\(FakeCredentials.keyFile(in: directory).path)",
                        "productionURL": "\(url)/production", "sandboxURL": "\(url)/sandbox" }
        """
    }
}
