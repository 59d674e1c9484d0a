package import EntitlementDomain

/// Where the API is: scheme and host, for each environment, without a slash at the end.
package struct ServerAPIHosts: Sendable, Hashable {
    package var production: String
    package var sandbox: String

    /// Apple's hosts, or others that stand in for them.
    package init(
        production: String = "https://api.storekit.apple.com",
        sandbox: String = "https://api.storekit-sandbox.apple.com"
    ) {
        self.production = production
        self.sandbox = sandbox
    }

    /// The host of an environment; nil for one that has no API (Xcode).
    package func host(of environment: StoreEnvironment) -> String? {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        default: nil
        }
    }
}
