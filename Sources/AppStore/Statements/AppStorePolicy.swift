package import EntitlementDomain

/// Which statements concern this service: the company's apps and the environments it serves.
package struct AppStorePolicy: Sendable, Hashable {
    /// The apps by bundle id, each with the Apple id that Production statements must name; nil: not compared.
    package var apps: [String: Int64?]
    /// The environments that give access. `Xcode` and `LocalTesting` among them mean nothing: the App Store signs for
    /// neither.
    package var acceptedEnvironments: Set<StoreEnvironment>
    /// Whether statements that StoreKit Testing in Xcode signed are accepted, under the environment `Xcode` only.
    package var acceptsXcode: Bool

    package init(
        apps: [String: Int64?],
        acceptedEnvironments: Set<StoreEnvironment> = [.production, .sandbox],
        acceptsXcode: Bool = false
    ) {
        self.apps = apps
        self.acceptedEnvironments = acceptedEnvironments
        self.acceptsXcode = acceptsXcode
    }

    /// Whether statements of this environment give access when this signer vouches for them.
    func accepts(_ environment: StoreEnvironment, trust: StatementTrust) -> Bool {
        switch trust {
        case .xcode: acceptsXcode && environment == .xcode
        case .appStore:
            acceptedEnvironments.contains(environment) && environment != .xcode && environment != .localTesting
        }
    }

    /// The environment, if it is accepted; throws `wrongEnvironment` when it is absent or not accepted.
    func acceptedEnvironment(
        _ environment: StoreEnvironment?,
        trust: StatementTrust
    ) throws(StatementError) -> StoreEnvironment {
        guard let environment else {
            throw StatementError(.wrongEnvironment, "The statement names no environment.")
        }
        guard accepts(environment, trust: trust) else {
            throw StatementError(
                .wrongEnvironment,
                "The environment \(environment.rawValue) is not accepted here. Accept it in the configuration, if it should be."
            )
        }
        return environment
    }

    /// Throws `wrongBundle` unless the app is ours, in Production by its Apple id too where both are known.
    func checkApp(
        bundleID: String?,
        appAppleID: Int64?,
        environment: StoreEnvironment?
    ) throws(StatementError) {
        guard let bundleID else {
            throw StatementError(.wrongBundle, "The statement names no app.")
        }
        guard let configured = apps[bundleID] else {
            throw StatementError(.wrongBundle, "The statement is of an app that is not configured here.")
        }
        guard environment == .production, let configured, let appAppleID, appAppleID != configured else { return }
        throw StatementError(.wrongBundle, "The statement names another Apple id for its app than the configured one.")
    }
}

extension StoreEnvironment {
    /// The value of Apple's own unit tests; no store signs for it.
    static let localTesting = StoreEnvironment(rawValue: "LocalTesting")
}
