import EntitlementAPI

/// Who makes a call, as far as the transport could tell.
struct Caller: Sendable {
    /// What the caller may do; nil: no valid key came with the request.
    var scopes: Set<Scope>?

    static let unknown = Caller(scopes: nil)
}
