package import AppStore
package import EntitlementDomain
package import EventStore
package import HTTPServer
package import JSONRPC

/// Everything that shapes a running service.
package struct ServiceConfiguration: Sendable {
    package var store: PostgresEventStore.Configuration
    package var http: HTTPServerConfiguration
    package var verifier: VerifierConfiguration
    /// The company's apps: bundle id -> Apple id.
    package var apps: [String: Int64?]
    package var policy: Policy
    package var limits = RPCLimits()
    package var tokens = TokenConfiguration()
    /// Asks verifyReceipt about receipts that cannot be verified here; nil: nobody is asked.
    package var receiptService: ReceiptService?
    /// Completes receipts from the App Store's history; nil: what they tell is all that is known of their purchases.
    package var receiptCompletion: (any ReceiptCompletion)?
    /// Access to the App Store Server API; nil: none, and all the rest works.
    package var appStore: AppStoreAccess?
    package var checkpoints = CheckpointConfiguration()
    package var cache = CacheConfiguration()
    package var readiness = ReadinessLimits()
    package var shutdown = ShutdownConfiguration()
    package var log: ServiceLog = .off
    /// Whether requests must come over a connection with a client certificate that the HTTP server has verified; see
    /// `ClientCertificateDoor` for those that need not.
    package var requiresClientCertificates = false

    package init(
        store: PostgresEventStore.Configuration,
        http: HTTPServerConfiguration,
        verifier: VerifierConfiguration,
        apps: [String: Int64?],
        policy: Policy
    ) {
        self.store = store
        self.http = http
        self.verifier = verifier
        self.apps = apps
        self.policy = policy
    }

    /// Sets what one body of JSON-RPC may ask for; nil keeps what is set.
    package mutating func limitCalls(maximumBatch: Int?, maximumDepth: Int?) {
        if let maximumBatch { limits.maximumBatch = maximumBatch }
        if let maximumDepth { limits.maximumDepth = maximumDepth }
    }

    /// Which statements concern this service.
    var appStorePolicy: AppStorePolicy {
        AppStorePolicy(
            apps: apps,
            acceptedEnvironments: policy.environments,
            acceptsXcode: policy.acceptXcode
        )
    }
}
