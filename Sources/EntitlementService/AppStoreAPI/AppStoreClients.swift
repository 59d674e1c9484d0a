import AppStore
import EntitlementAPI
import EntitlementDomain
import JSON
import JSONRPC

/// The clients of the App Store Server API, one for each app; none without credentials.
struct AppStoreClients: Sendable {
    private let clients: [String: ServerAPIClient]

    /// For calls that somebody waits for: few tries, short waits.
    static let interactiveRetries = ServerAPIRetries(
        attempts: 3,
        longestWait: .seconds(2),
        longestRateLimitWait: .seconds(2)
    )

    /// No access.
    static let none = AppStoreClients(clients: [:])

    private init(clients: [String: ServerAPIClient]) {
        self.clients = clients
    }

    /// - Parameters:
    ///   - apps: the apps of the configuration.
    ///   - transport: sends the calls of these clients.
    init(
        _ access: AppStoreAccess,
        apps: some Sequence<String>,
        transport: any ServerAPITransport,
        reader: StatementReader,
        retries: ServerAPIRetries = ServerAPIRetries(),
        clock: @escaping @Sendable () -> Instant
    ) {
        var clients: [String: ServerAPIClient] = [:]
        for bundleID in apps where access.bundleIDs.isEmpty || access.bundleIDs.contains(bundleID) {
            clients[bundleID] = ServerAPIClient(
                credentials: access.credentials,
                bundleID: bundleID,
                hosts: access.hosts,
                transport: transport,
                reader: reader,
                retries: retries,
                timing: access.timing ?? ServerAPITiming(now: clock)
            )
        }
        self.clients = clients
    }

    /// The apps that can be asked about, by bundle id.
    var all: [ServerAPIClient] { clients.sorted { $0.key < $1.key }.map(\.value) }

    subscript(bundleID: String) -> ServerAPIClient? { clients[bundleID] }

    /// The clients that may know an id: that of one app, or all.
    ///
    /// Throws `upstreamUnavailable` when there are no credentials, `wrongBundle` for an app without them.
    func candidates(for bundleID: String?) throws(JSONRPCError) -> [ServerAPIClient] {
        guard !clients.isEmpty else {
            throw ErrorReason.upstreamUnavailable.error(
                "There are no credentials for the App Store Server API here: set appStore in the configuration."
            )
        }
        guard let bundleID else { return all }
        guard let client = clients[bundleID] else {
            throw ErrorReason.wrongBundle.error("There are no App Store credentials for this app here.")
        }
        return [client]
    }
}

extension JSONRPCError {
    /// What a caller is told when the App Store gave no result.
    init(_ error: ServerAPIError) {
        switch error {
        case .refused(let refusal) where refusal.known?.meansUnknownTransaction == true:
            self = ErrorReason.notFound.error("The App Store knows no such transaction of the apps configured here.")
        case .refused(let refusal) where !refusal.isRetryable:
            self = ErrorReason.upstreamRejected.error(
                "The App Store refused: \(refusal.description).",
                details: refusal.code.map { ["appStoreError": .number(JSONNumber($0))] } ?? JSONObject()
            )
        case .rateLimited(let until):
            self = ErrorReason.upstreamUnavailable.error(
                "The App Store limits the rate of calls; try again later.",
                details: until.map { ["until": .string($0.iso8601)] } ?? JSONObject()
            )
        case .untrusted(let error): self = JSONRPCError(error)
        case .invalidArgument: self = ErrorReason.upstreamRejected.error(error.description)
        case .unauthorized, .signingFailed:
            self = ErrorReason.upstreamRejected.error(
                "The App Store does not accept this service's credentials; 'entitled doctor' says what is wrong."
            )
        case .malformedResponse, .endlessPaging:
            self = ErrorReason.upstreamRejected.error("The App Store's response is not understood.")
        case .refused, .unreachable, .cancelled:
            self = ErrorReason.upstreamUnavailable.error("The App Store cannot be reached right now; try again.")
        }
    }
}
