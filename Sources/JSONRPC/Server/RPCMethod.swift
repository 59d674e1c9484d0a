package import JSON

/// One method a server offers: its name and what runs when it is called.
///
/// A result is given as JSON bytes, so that no tree need be built for it.
package struct RPCMethod<Context: Sendable>: Sendable {
    /// Answers a call. `params` is an object, an array, or nil when the call has none.
    package typealias Handler =
        @Sendable (_ params: JSONValue?, _ context: Context) async throws(JSONRPCError) -> [UInt8]

    /// Answers a call at once or gives nil, and then the handler runs. It must not block: it may run on the thread that
    /// reads the connections.
    package typealias ImmediateHandler =
        @Sendable (_ params: JSONValue?, _ context: Context) throws(JSONRPCError) -> [UInt8]?

    package let name: String
    let immediate: ImmediateHandler?
    let handler: Handler

    /// A method, with an optional quick way tried first (an answer from a cache).
    package init(_ name: String, immediately immediate: ImmediateHandler? = nil, handler: @escaping Handler) {
        self.name = name
        self.immediate = immediate
        self.handler = handler
    }

    /// A method that is always answered at once; see `ImmediateHandler`.
    package init(
        synchronous name: String,
        _ body: @escaping @Sendable (_ params: JSONValue?, _ context: Context) throws(JSONRPCError) -> [UInt8]
    ) {
        self.name = name
        immediate = { params, context throws(JSONRPCError) in try body(params, context) }
        handler = { params, context async throws(JSONRPCError) in try body(params, context) }
    }
}
