import AppStore
import EntitlementDomain
import EntitlementService
import EventStore
import Foundation
import HTTPServer
import JSON
import Postgres
import Simulator
import X509

/// `entitled dev`.
enum DevCommand: Command {
    static let words = ["dev"]
    static let summary =
        "Run a complete service for trying out: private PostgreSQL, throwaway App Store, sample catalog."
    static let options = [
        Option("port", "N", "port on 127.0.0.1; 0: any free one; default 8080"),
        Option("data", "DIR", "where everything is kept; default .entitled"),
        Option("app-store", "URL", "address of 'entitled simulate app-store', for what needs the App Store Server API"),
        Option("json", nil, "print one line of JSON once it answers, and nothing else"),
    ]
    static let discussion = """
        Nothing has to be set up but PostgreSQL's programs. The data directory is used again at the next start. Never for
        production: the throwaway chain's private keys lie in the data directory, and who has them can sign purchases.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let isQuiet = arguments.has("json")
        let port = try arguments.integer("port", in: 0...65_535) ?? 8080
        let directory = URL(filePath: arguments.value("data") ?? ".entitled").standardizedFileURL
        let environment = try await DevEnvironment(directory: directory) { note in
            if !isQuiet { print(note) }
        }
        let (server, bound, key) = try await start(environment, port: port, appStore: arguments.value("app-store"))
        let url = "http://127.0.0.1:\(bound)"
        // Before the line by which others see that it is there, and may want it to end.
        let stop = StopSignal(andHangUp: true)
        if isQuiet {
            let line: JSONValue = [
                "url": .string(url), "key": .string(key),
                "database": .string(environment.postgres.ownerConnectionString),
            ]
            print(line)
        } else {
            print(welcome(url: url, key: key, environment: environment))
        }
        fflush(nil)
        await stop.wait()
        await server.stop()
        try environment.postgres.stop()
    }

    private static func start(
        _ environment: DevEnvironment,
        port: Int,
        appStore: String?
    ) async throws -> (server: EntitlementServer, port: Int, key: String) {
        var http = HTTPServerConfiguration()
        http.port = UInt16(port)
        var configuration = ServiceConfiguration(
            store: PostgresEventStore.Configuration(connectionString: environment.serviceDatabase),
            http: http,
            verifier: VerifierConfiguration(roots: AppleRoots.appStore + [environment.chain.root.certificate]),
            apps: [DevEnvironment.bundleID: DevEnvironment.appAppleID],
            policy: Policy()
        )
        configuration.tokens.signingKeys = try environment.signingKeys()
        configuration.appStore = try appStore.map { try environment.appStoreAccess(url: $0) }
        let server = try EntitlementServer(configuration, clock: SystemClock.now)
        do {
            try await environment.loadSampleCatalog(server.store)
            let key = try await environment.apiKey(server.store)
            return (server, try await server.start(), key)
        } catch {
            await server.stop()
            try? environment.postgres.stop()
            if let error = error as? StoreError { throw CommandError(error) }
            if let error = error as? HTTPServerError { throw CommandError(.unavailable, "\(error)") }
            throw error
        }
    }

    private static func welcome(url: String, key: String, environment: DevEnvironment) -> String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "entitled"
        let account = "11111111-1111-4111-8111-111111111111"
        func call(_ method: String) -> String {
            """
            curl -s \(url)/rpc -H 'Authorization: Bearer \(key)' -d '{"jsonrpc":"2.0","id":1,"method":"\(method)","params":{"account":"\(account)"}}'
            """
        }
        return """

            entitled \(EntitlementServer.version) answers at \(url)
            API key   \(key)
            database  \(environment.postgres.ownerConnectionString)

            Next, in another terminal:

            1. play purchases, renewals and refunds against it:

               \(program) simulate story --url \(url) --key \(key) --chain '\(environment.chainDirectory.path)' --account \(account)

            2. ask what the account is entitled to:

               \(call("entitlements.get"))

            3. see the events behind the answer:

               \(call("events.list"))

            Ctrl-C stops the service and its database.

            """
    }
}
