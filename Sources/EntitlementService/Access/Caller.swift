import EntitlementAPI

/// Who makes a call, as far as the transport could tell.
struct Caller: Sendable {
    /// What the caller may do; nil: no valid key came with the request.
    var scopes: Set<Scope>?
    /// What keeps the caller to a rate; nil: nothing does.
    var limiter: CallLimiter?

    static let unknown = Caller()
}
