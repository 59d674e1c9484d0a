import EntitlementAPI
import JSONRPC

/// Who makes a call, as far as the transport could tell.
///
/// A class, so that all calls with one key share it: threads that count references to its parts would wait for each other.
final class Caller: Sendable {
    /// What the caller may do; nil: no valid key came with the request.
    let scopes: Set<Scope>?
    /// The public id of the caller's key; nil: no valid key came with the request.
    let keyID: String?
    /// What keeps the caller to a rate; nil: nothing does.
    let limiter: CallLimiter?

    init(scopes: Set<Scope>? = nil, keyID: String? = nil, limiter: CallLimiter? = nil) {
        self.scopes = scopes
        self.keyID = keyID
        self.limiter = limiter
    }

    static let unknown = Caller()

    /// Charges one call to the caller's rate.
    ///
    /// - Throws: `rateLimited`.
    func charge() throws(JSONRPCError) {
        try limiter?.charge()
    }

    /// Checks that the caller may do what a scope allows.
    ///
    /// - Parameter name: the method that needs it, for the message.
    /// - Throws: `unauthorized` or `forbidden`.
    func require(_ scope: Scope, for name: String) throws(JSONRPCError) {
        guard let scopes else {
            throw ErrorReason.unauthorized.error(
                "This method needs an API key: send 'Authorization: Bearer <key>' with a key that is in force."
            )
        }
        guard scopes.contains(scope) else {
            throw ErrorReason.forbidden.error(
                "This API key lacks the scope '\(scope.rawValue)' that \(name) needs."
            )
        }
    }
}
