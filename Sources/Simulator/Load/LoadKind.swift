/// How a statement of a load reaches the service.
package enum LoadKind: String, Sendable, CaseIterable {
    /// A notification with a signed transaction and renewal info inside: three signatures.
    case notification
    /// A transaction sent by `transactions.submit`: one signature.
    case upload

    /// The path that the body is posted to.
    package var path: String {
        switch self {
        case .notification: "/appstore/notifications"
        case .upload: "/rpc"
        }
    }
}
