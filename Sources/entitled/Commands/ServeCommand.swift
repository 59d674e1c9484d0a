import EntitlementService
import EventStore
import Foundation
import HTTPServer
import Postgres

/// `entitled serve`.
enum ServeCommand: Command {
    static let words = ["serve"]
    static let summary = "Run the service."
    static let options = [
        Option(
            "config",
            "FILE",
            "JSON configuration; variables go over it: ENTITLED_DATABASE, _ADDRESS, _PORT, _PLAIN_HTTP, _TLS_CERTIFICATE, _TLS_KEY, _TLS_CLIENT_CA, _TLS_CLIENT_CERTIFICATES, _SIGNING_KEYS, _CACHE_BYTES, _LOG_LEVEL, _LOG_FORMAT, _SHUTDOWN_NOTICE"
        ),
        Option("check-config", nil, "report every problem of the configuration and end; nothing is connected to"),
        Option("reach", nil, "with --check-config: ask the database too whether it answers and has the right schema"),
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
        "/etc/entitled/chain.pem", "key": "/etc/entitled/key.pem" } }. SIGHUP reads these files again. With "clientCA":
        FILE beside them clients must show a certificate of that authority, except the App Store. Where a proxy serves
        TLS, allow plain HTTP with "plainHTTP": true. signingKeys is needed for entitlements.token and for checkpoints; see 'entitled keys rotate-signing'.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        var settings = ServeSettings(file: arguments.value("config"), environment: ProcessInfo.processInfo.environment)
        let configuration = try settings.configuration()
        if arguments.has("check-config") {
            print("the configuration is fine: \(configuration.apps.count) app(s), \(settings.address):\(settings.port)")
            print("database: \(PostgresConfiguration.redacted(settings.database ?? ""))")
            if arguments.has("reach") { try await reach(configuration) }
            return
        }
        if arguments.has("reach") { throw CommandError(.usage, "--reach belongs to --check-config") }
        let stop = StopSignal()
        let server = try EntitlementServer(configuration, clock: SystemClock.now)
        let supervisor = ServiceSupervisor(environment: ProcessInfo.processInfo.environment)
        // Before the start, so that a signal that comes early does not end the service.
        let reloading = ReloadSignal { [tls = settings.tls, log = configuration.log] in
            reload(tls, server, supervisor, log)
        }
        defer { reloading.end() }
        do {
            let port = try await server.start()
            let scheme = settings.tls == nil ? "http" : "https"
            let host = settings.address.contains(":") ? "[\(settings.address)]" : settings.address
            let url = "\(scheme)://\(host):\(port)"
            print("entitled \(EntitlementServer.version) listens on \(url)")
            // A log that is a file would else see this line when the service ends.
            fflush(nil)
            // One that is slow to get ready is ready all the same: it answers, and its readiness says what it waits for.
            if supervisor.isThere { _ = await server.becomeReady() }
            supervisor.tell(.ready, status: "answers at \(url)")
        } catch let error as StoreError {
            throw CommandError(error)
        } catch let error as HTTPServerError {
            throw CommandError(.unavailable, "\(error)")
        }
        await stop.wait()
        supervisor.tell(.stopping)
        await server.stop()
    }

    /// Asks the database of a configuration for its schema.
    private static func reach(_ configuration: ServiceConfiguration) async throws {
        let store = PostgresEventStore(configuration.store, clock: SystemClock.now)
        do throws(StoreError) {
            try await store.check()
        } catch {
            await store.close()
            throw CommandError(error)
        }
        await store.close()
        print("the database answers and has schema version \(SchemaMigrator.version)")
    }

    /// Reads the files of TLS again; what cannot be used leaves everything as it is. The log says which.
    private static func reload(
        _ tls: TLSFiles?,
        _ server: EntitlementServer,
        _ supervisor: ServiceSupervisor,
        _ log: ServiceLog
    ) {
        supervisor.tell(.reloading)
        defer { supervisor.tell(.ready) }
        guard let tls else {
            return log.note(.info, "SIGHUP: nothing to read again, since plain HTTP is served")
        }
        let (read, problems) = tls.read()
        do {
            guard let read else { throw CommandError(.configuration, problems.joined(separator: "; ")) }
            guard let validity = try server.replace(read) else { return }
            log.note(
                .info,
                "SIGHUP: another certificate is served",
                [("certificate", tls.certificate), ("holds", "\(validity)")]
            )
        } catch {
            let reason = (error as? CommandError)?.message ?? "\(error)"
            log.note(.error, "SIGHUP: the certificate stays as it was", [("reason", reason)])
        }
    }
}
