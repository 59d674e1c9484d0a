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
            "JSON configuration; ENTITLED_DATABASE, ENTITLED_ADDRESS and ENTITLED_PORT go over it"
        ),
        Option("check-config", nil, "report every problem of the configuration and end"),
    ]
    static let discussion = """
        The configuration names the database (the role entitled_service is enough), the apps, and where to listen:

          { "database": "postgresql://entitled_service@/entitled",
            "listen": { "address": "127.0.0.1", "port": 8080 },
            "apps": [ { "bundleId": "com.example.app", "appAppleId": 1234567890 } ],
            "policy": { "ownership": "keepWithOwner" } }
        """

    static func run(_ arguments: ParsedArguments) async throws {
        var settings = ServeSettings(file: arguments.value("config"), environment: ProcessInfo.processInfo.environment)
        let configuration = try settings.configuration()
        if arguments.has("check-config") {
            print("the configuration is fine: \(configuration.apps.count) app(s), \(settings.address):\(settings.port)")
            return
        }
        let server = try EntitlementServer(configuration, clock: SystemClock.now)
        do {
            let port = try await server.start()
            print("entitled \(EntitlementServer.version) listens on http://\(settings.address):\(port)")
        } catch let error as StoreError {
            throw CommandError(error)
        } catch let error as HTTPServerError {
            throw CommandError(.unavailable, "\(error)")
        }
        await StopSignal.wait()
        await server.stop()
    }
}
