import AppStore
import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import Foundation
import Postgres
import Simulator
import X509

/// Everything `entitled dev` needs, made on first use and found again later: a private PostgreSQL, the schema, a
/// throwaway App Store chain, the sample catalog and an API key.
struct DevEnvironment {
    /// The app whose statements the throwaway chain signs.
    static let bundleID = "com.example.app"
    static let appAppleID: Int64 = 1_234_567_890

    let directory: URL
    let postgres: EmbeddedPostgres
    let chain: ThrowawayChain

    var chainDirectory: URL { directory.appendingPathComponent("chain") }
    private var keyFile: URL { directory.appendingPathComponent("api-key") }

    /// The connection string of the role that the service runs as.
    var serviceDatabase: String { postgres.connectionString(user: "entitled_service", database: "entitled") }

    /// Access to the fake App Store at a URL, with the key that it keeps beside the other data.
    func appStoreAccess(url: String) throws -> AppStoreAccess {
        let credentials = try FakeCredentials(directory: directory.appendingPathComponent("app-store"))
        var access = AppStoreAccess(credentials: credentials.credentials)
        access.hosts = ServerAPIHosts(production: url + "/production", sandbox: url + "/sandbox")
        access.reconciliation.interval = .seconds(60)
        return access
    }

    /// The keys that sign tokens, a first one made when there is none.
    func signingKeys() throws -> SigningKeyDirectory {
        let keys = SigningKeyDirectory(path: directory.appendingPathComponent("signing-keys").path)
        if keys.read().keys.isEmpty { _ = try keys.addKey(now: SystemClock.now()) }
        return keys
    }

    /// Starts PostgreSQL and brings its schema up to date.
    ///
    /// - Parameter serverSettings: for PostgreSQL, over its own.
    init(directory: URL, serverSettings: [String: String] = [:], note: (String) -> Void) async throws {
        self.directory = directory
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        postgres = try Self.startPostgres(in: directory, settings: serverSettings, note: note)
        try await DatabaseOption.withSession(postgres.ownerConnectionString) { try SchemaMigrator.migrate($0) }
        chain = try Self.chain(in: directory.appendingPathComponent("chain"))
    }

    private static func startPostgres(
        in directory: URL,
        settings: [String: String],
        note: (String) -> Void
    ) throws -> EmbeddedPostgres {
        let path = directory.appendingPathComponent("postgres").path
        do {
            do {
                return try EmbeddedPostgres(EmbeddedPostgresOptions(dataDirectory: path, settings: settings))
            } catch EmbeddedPostgresError.dataDirectoryNotReachable(_, let blockedBy, let user) {
                // PostgreSQL does not run as root, and the account it runs as cannot pass through a closed directory.
                let name = SHA256.hash(Array(path.utf8)).description.prefix(12)
                let other = "/var/tmp/entitled-\(name)"
                note("\(blockedBy) is closed to the account \(user), so the data are in \(other)")
                return try EmbeddedPostgres(EmbeddedPostgresOptions(dataDirectory: other, settings: settings))
            }
        } catch let error as EmbeddedPostgresError {
            throw CommandError(.unavailable, "\(error)")
        }
    }

    private static func chain(in directory: URL) throws -> ThrowawayChain {
        if let chain = try? ThrowawayChain(directory: directory) { return chain }
        let chain = try ThrowawayChain.make(validity: ScenarioSigning.validity)
        try chain.write(to: directory)
        return chain
    }

    /// Puts the sample catalog into force unless there is a catalog already.
    func loadSampleCatalog(_ store: PostgresEventStore) async throws {
        guard try await store.catalogJSON() == nil else { return }
        let document = try CatalogDocument.read(Array(SampleCatalog.json.utf8))
        _ = try await store.append(.catalog(document.canonicalJSON))
    }

    /// The API key with every scope: the one kept in the directory, as long as the database knows it, else a new one.
    func apiKey(_ store: PostgresEventStore) async throws -> String {
        if let text = try? String(contentsOf: keyFile, encoding: .utf8),
            let key = APIKey(text.trimmingCharacters(in: .whitespacesAndNewlines)),
            try await store.keys().contains(where: { $0.digest == key.digest && $0.isValid(at: SystemClock.now()) })
        {
            return key.text
        }
        let key = try APIKey.make()
        let record = key.record(name: "dev", scopes: Set(Scope.allCases), createdAt: SystemClock.now())
        try await DatabaseOption.withSession(postgres.ownerConnectionString) { try $0.addKey(record) }
        let isWritten = FileManager.default.createFile(
            atPath: keyFile.path,
            contents: Data((key.text + "\n").utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else { throw CommandError(.unavailable, "\(keyFile.path) cannot be written") }
        return key.text
    }
}
