package import AppStore

/// How the service reaches the App Store Server API, and what it does with it.
package struct AppStoreAccess: Sendable {
    package var credentials: ServerAPICredentials
    package var hosts = ServerAPIHosts()
    /// The apps that the key is for; empty: all apps of the configuration.
    package var bundleIDs: Set<String> = []
    /// Sends the calls.
    package var transport: any ServerAPITransport
    /// Waiting and chance; nil: the real ones.
    package var timing: ServerAPITiming?
    package var reconciliation = ReconcileSettings()
    /// How consumption requests are answered; nil: not at all.
    package var consumption: ConsumptionAnswer?

    package init(credentials: ServerAPICredentials, transport: any ServerAPITransport = URLSessionTransport()) {
        self.credentials = credentials
        self.transport = transport
    }
}
