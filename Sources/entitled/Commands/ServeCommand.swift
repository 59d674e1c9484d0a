import EntitlementService
import EventStore
import Foundation
import HTTPServer

/// `entitled serve`.
enum ServeCommand: Command {
    static let words = ["serve"]
    static let summary = "Run the service."
    static let options = [
        Option(
            "config",
            "FILE",
            "JSON configuration; variables go over it: ENTITLED_DATABASE, _ADDRESS, _PORT, _PLAIN_HTTP, _SIGNING_KEYS, _CACHE_BYTES, _LOG_LEVEL, _LOG_FORMAT, _SHUTDOWN_NOTICE"
        ),
        Option("check-config", nil, "report every problem of the configuration and end"),
    ]
    static let discussion = """
        The configuration names the database (the role entitled_service is enough), the apps, and where to listen:

          { "database": "postgresql://entitled_service@/entitled",
            "listen": { "address": "127.0.0.1", "port": 8080 },
            "apps": [ { "bundleId": "com.example.app", "appAppleId": 1234567890 } ],
            "policy": { "ownership": "keepWithOwner" },
            "signingKeys": "/etc/entitled/signing-keys", "tokenIssuer": "https://entitled.example.com",
            "limits": { "maximumBatch": 100, "maximumBodyBytes": 8388608, "maximumDepth": 64,
                        "requestTimeLimit": "PT30S", "maximumConnections": 4096 } }

        Beyond this machine TLS is served: "listen": { "address": "::", "port": 443, "tls": { "certificate":
        "/etc/entitled/chain.pem", "key": "/etc/entitled/key.pem" } }. Where a proxy does that, allow plain HTTP with
        "plainHTTP": true. signingKeys is needed for entitlements.token only; see 'entitled keys rotate-signing'.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        var settings = ServeSettings(file: arguments.value("config"), environment: ProcessInfo.processInfo.environment)
        let configuration = try settings.configuration()
        if arguments.has("check-config") {
            print("the configuration is fine: \(configuration.apps.count) app(s), \(settings.address):\(settings.port)")
            return
        }
        let stop = StopSignal()
        let server = try EntitlementServer(configuration, clock: SystemClock.now)
        do {
            let port = try await server.start()
            let scheme = settings.tls == nil ? "http" : "https"
            let host = settings.address.contains(":") ? "[\(settings.address)]" : settings.address
            print("entitled \(EntitlementServer.version) listens on \(scheme)://\(host):\(port)")
            // A log that is a file would else see this line when the service ends.
            fflush(nil)
        } catch let error as StoreError {
            throw CommandError(error)
        } catch let error as HTTPServerError {
            throw CommandError(.unavailable, "\(error)")
        }
        await stop.wait()
        await server.stop()
    }
}
