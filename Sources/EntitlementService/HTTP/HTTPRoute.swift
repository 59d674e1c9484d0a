/// The paths of the service as a label of metrics: one for each, and one for all that there are not.
enum HTTPRoute: Int, CaseIterable, Sendable {
    case rpc
    case notifications
    case readyz
    case healthz
    case metrics
    case openRPC
    case keySet
    case changes
    case entitlements
    case other

    init(_ path: String) {
        self =
            switch path {
            case "/rpc": .rpc
            case "/appstore/notifications": .notifications
            case "/readyz": .readyz
            case "/healthz": .healthz
            case "/metrics": .metrics
            case "/openrpc.json": .openRPC
            case "/.well-known/jwks.json": .keySet
            case "/changes": .changes
            default: EntitlementsDoor.account(inPath: path) == nil ? .other : .entitlements
            }
    }

    /// The path, with a placeholder for what varies in it.
    var label: String {
        switch self {
        case .rpc: "/rpc"
        case .notifications: "/appstore/notifications"
        case .readyz: "/readyz"
        case .healthz: "/healthz"
        case .metrics: "/metrics"
        case .openRPC: "/openrpc.json"
        case .keySet: "/.well-known/jwks.json"
        case .changes: "/changes"
        case .entitlements: "/accounts/{account}/entitlements"
        case .other: "(other)"
        }
    }
}
