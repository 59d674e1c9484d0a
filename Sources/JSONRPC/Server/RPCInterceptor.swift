/// Sees every single call before and after it runs, those inside a batch one by one: the place to authorise, to count
/// and to limit the rate.
///
/// Both functions run on the way of every call, possibly on the thread that reads the connections, so they must not
/// block. What needs a database (finding out who the caller is) is done before and handed in as part of the context.
package protocol RPCInterceptor<Context>: Sendable {
    associatedtype Context: Sendable

    /// Before a call, known method or not.
    ///
    /// - Throws: the error to answer with; the call is then not run.
    func willCall(_ call: RPCCall, context: Context) throws(JSONRPCError)

    /// After a call, also one that `willCall` refused.
    func didCall(_ call: RPCCall, context: Context, duration: Duration, outcome: RPCOutcome)
}

/// What an interceptor is told about a call.
package struct RPCCall: Sendable, Hashable {
    /// The name as sent: only trust it to be short and sensible when `isKnown`.
    package let method: String
    /// Whether the server has this method.
    package let isKnown: Bool
    /// Whether the caller will not see an answer.
    package let isNotification: Bool
}

/// How a call ended.
package enum RPCOutcome: Sendable, Hashable {
    /// With a result of so many bytes.
    case result(bytes: Int)
    case error(JSONRPCError)
}
