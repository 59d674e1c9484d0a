import AppStore
import EntitlementDomain
import EntitlementService
import EventStore
import Foundation
import HTTPServer
import JSON
import Postgres
import X509

/// The configuration of `entitled serve`: a JSON file, with `ENTITLED_…` variables over it.
struct ServeSettings {
    var database: String?
    /// Whether this instance only answers look-ups, from a standby for example.
    var readOnly = false
    var address = "127.0.0.1"
    var port = 8080
    var tls: TLSFiles?
    /// Whether clients must come with a certificate of `tls.clientCA`; nil: they must when there is one.
    var clientCertificates: Bool?
    /// Whether plain HTTP may be served beyond this machine.
    var allowsPlainHTTP = false
    var limits = Limits()
    var apps: [String: Int64?] = [:]
    var policy = Policy()
    var trustRoots: [String] = []
    var xcodeCertificates: [String] = []
    /// The directory of the keys that sign tokens; nil: no tokens.
    var signingKeys: String?
    var tokenIssuer = "entitled"
    /// Nil: no access to the App Store Server API.
    var appStore: AppStore?
    var checkpoints = CheckpointConfiguration()
    /// Whether and how verifyReceipt is asked; nil: it is not.
    var verifyReceipt: VerifyReceipt?
    var cache = CacheConfiguration()
    var operation = Operation()
    /// Everything that is wrong, each with its place and what to do.
    var problems: [String] = []
    private var isRead = true
    /// What is there and wrong, and so not missing: settings, and the apps whose id is.
    private var isFaulty: Set<String> = []

    private static let known = [
        "database", "listen", "apps", "policy", "trustRoots", "xcodeCertificates", "signingKeys", "tokenIssuer",
        "limits", "checkpoints", "cache", "verifyReceipt", "appStore", "log", "readiness", "shutdown",
        "readOnly",
    ]

    /// Reads the file, if there is one, and then the environment.
    init(file: String?, environment: [String: String]) {
        if let file { read(file: file) }
        // A variable without text is how many a tool spells one that is not set.
        read(environment: environment.filter { !$0.value.isEmpty })
        // What a file that cannot be read may hold is not missing.
        guard isRead else { return }
        if database == nil, !isFaulty.contains("database") {
            problems.append("database is missing: a libpq connection string, in the file or in ENTITLED_DATABASE")
        }
        if let fault = database.flatMap({ PostgresConfiguration.problem(inConnectionString: $0) }) {
            problems.append("database: \(fault)")
        }
        checkListen()
        if apps.isEmpty, !isFaulty.contains("apps") {
            problems.append(
                "apps is empty: name at least one app, [{\"bundleId\": \"com.example.app\", \"appAppleId\": 1}]"
            )
        }
        if policy.environments.contains(.production) {
            for (bundleID, appAppleID) in apps.sorted(by: { $0.key < $1.key })
            where appAppleID == nil && !isFaulty.contains(bundleID) {
                problems.append("app \(bundleID) has no appAppleId, which Production statements are checked against")
            }
        }
    }

    private mutating func read(file: String) {
        let value: JSONValue
        do {
            value = try JSONParser.parse([UInt8](Data(contentsOf: URL(filePath: file))))
        } catch let error as JSONSyntaxError {
            isRead = false
            problems.append("\(file): \(error)")
            return
        } catch {
            isRead = false
            problems.append("\(file) \(Self.reason(file))")
            return
        }
        guard let object = value.objectValue else {
            isRead = false
            problems.append("\(file) must hold a JSON object")
            return
        }
        for (key, count) in Dictionary(object.keys.map { ($0, 1) }, uniquingKeysWith: +).sorted(by: { $0.key < $1.key })
        where count > 1 {
            problems.append("\(key) is there \(count) times")
        }
        for key in object.keys where !Self.known.contains(key) {
            problems.append("\(key) is no setting; known: \(Self.known.joined(separator: ", "))")
        }
        if let value = object["database"] {
            database = value.stringValue
            if database == nil {
                problems.append("database must be text: a libpq connection string")
                isFaulty.insert("database")
            }
        }
        if let value = object["readOnly"] {
            readOnly = value.boolValue ?? false
            if value.boolValue == nil { problems.append("readOnly must be true or false") }
        }
        if let listen = object["listen"] { read(listen: listen) }
        if let limits = object["limits"] { read(limits: limits) }
        if let cache = object["cache"] { read(cache: cache) }
        if let log = object["log"] { read(log: log) }
        if let readiness = object["readiness"] { read(readiness: readiness) }
        if let shutdown = object["shutdown"] { read(shutdown: shutdown) }
        if let list = object["apps"] { read(apps: list) }
        if let value = object["appStore"] { read(appStore: value) }
        if let value = object["policy"] {
            let (policy, faults) = PolicyDocument.read(value)
            self.policy = policy
            problems += faults
        }
        trustRoots = paths(object["trustRoots"], "trustRoots")
        xcodeCertificates = paths(object["xcodeCertificates"], "xcodeCertificates")
        if let value = object["checkpoints"] { read(checkpoints: value) }
        if let value = object["verifyReceipt"] { read(verifyReceipt: value) }
        if let value = object["signingKeys"] {
            signingKeys = value.stringValue
            if signingKeys == nil { problems.append("signingKeys must be text: the path of a directory") }
        }
        if let value = object["tokenIssuer"] {
            if let text = value.stringValue, !text.isEmpty {
                tokenIssuer = text
            } else {
                problems.append("tokenIssuer must be text: the iss claim of tokens")
            }
        }
    }

    private mutating func read(apps: JSONValue) {
        guard let list = apps.arrayValue else {
            problems.append("apps must be an array of objects with bundleId and appAppleId")
            isFaulty.insert("apps")
            return
        }
        for (index, app) in list.enumerated() {
            for key in app.objectValue?.keys ?? [] where !["bundleId", "appAppleId"].contains(key) {
                problems.append("apps[\(index)].\(key) is no setting; known: bundleId, appAppleId")
            }
            guard let bundleID = app["bundleId"]?.stringValue, !bundleID.isEmpty else {
                problems.append("apps[\(index)].bundleId must be text")
                isFaulty.insert("apps")
                continue
            }
            let appAppleID = app["appAppleId"]
            if let appAppleID, appAppleID.int64Value ?? 0 <= 0 {
                problems.append("apps[\(index)].appAppleId must be a whole number above 0")
                isFaulty.insert(bundleID)
            }
            if self.apps[bundleID] != nil { problems.append("apps[\(index)]: \(bundleID) is there twice") }
            self.apps[bundleID] = .some(appAppleID?.int64Value)
        }
    }

    private mutating func paths(_ value: JSONValue?, _ name: String) -> [String] {
        guard let value else { return [] }
        guard let list = value.arrayValue, list.allSatisfy({ $0.stringValue != nil }) else {
            problems.append("\(name) must be an array of paths to certificates in PEM or DER")
            return []
        }
        return list.compactMap(\.stringValue)
    }

    private mutating func read(environment: [String: String]) {
        if let value = environment["ENTITLED_DATABASE"] { database = value }
        read(listenVariables: environment)
        read(cacheVariables: environment)
        read(operationVariables: environment)
        if let value = environment["ENTITLED_SIGNING_KEYS"] { signingKeys = value }
    }

    /// The service's configuration; with problems, everything that is wrong at once.
    mutating func configuration() throws(CommandError) -> ServiceConfiguration {
        let roots = certificates(trustRoots, "trustRoots")
        let xcode = certificates(xcodeCertificates, "xcodeCertificates")
        if policy.acceptXcode, xcode.isEmpty {
            problems.append("policy.acceptXcode is on, but xcodeCertificates names no certificate to trust")
        }
        let signingKeys = signingKeys.map { SigningKeyDirectory(path: $0) }
        if let contents = signingKeys?.read() {
            problems += contents.problems.map { "signingKeys: \($0)" }
            if contents.keys.isEmpty, contents.problems.isEmpty {
                problems.append(
                    "signingKeys: the directory holds no key; 'entitled keys rotate-signing --directory DIR' makes one"
                )
            }
        }
        if checkpoints.directory != nil, signingKeys == nil {
            problems.append("checkpoints.directory is set, but signingKeys names no keys that could sign a checkpoint")
        }
        let tls = readTLS()
        let receiptService = makeReceiptService()
        let access = appStoreAccess()
        guard problems.isEmpty, let database else {
            throw CommandError(
                .configuration,
                "the configuration has problems:\n" + problems.map { "  - \($0)" }.joined(separator: "\n")
            )
        }
        var http = HTTPServerConfiguration()
        http.address = address
        http.port = UInt16(port)
        http.tls = tls
        var configuration = ServiceConfiguration(
            store: PostgresEventStore.Configuration(connectionString: database, policy: policy),
            http: http,
            verifier: VerifierConfiguration(
                roots: AppleRoots.appStore + roots,
                xcodeCertificates: policy.acceptXcode ? xcode : []
            ),
            apps: apps,
            policy: policy
        )
        configuration.store.isReadOnly = readOnly
        limits.apply(to: &configuration)
        operation.apply(to: &configuration)
        configuration.requiresClientCertificates = tls?.clientCAPEM != nil && clientCertificates ?? true
        configuration.appStore = access
        configuration.checkpoints = checkpoints
        configuration.receiptService = receiptService
        configuration.cache = cache
        configuration.tokens = TokenConfiguration(issuer: tokenIssuer, signingKeys: signingKeys)
        return configuration
    }

    private mutating func certificates(_ paths: [String], _ name: String) -> [Certificate] {
        var found: [Certificate] = []
        for path in paths {
            do {
                found += try Certificate.load(file: [UInt8](Data(contentsOf: URL(filePath: path))))
            } catch {
                problems.append("\(name): \(path) \(Self.reason(path) { "holds no certificate in PEM or DER" })")
            }
        }
        return found
    }
}
