package import JSON
package import JSONRPC

/// One method of the interface, declared once: dispatch, validation messages and the OpenRPC document come from here.
package protocol APIMethod: Sendable {
    associatedtype Parameters: Sendable
    associatedtype Response: APIResponse

    static var name: String { get }
    /// What a key must be allowed to do; nil: no key is needed.
    static var scope: Scope? { get }
    static var summary: String { get }
    static var declared: [ParameterDescription] { get }
    /// The application errors it can answer with, besides those of every method.
    static var reasons: [ErrorReason] { get }

    /// Reads the parameters of one call.
    ///
    /// - Throws: `invalidParams` that names the parameter and what was expected.
    static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters
}

extension APIMethod {
    /// Reads the `params` of a call as sent.
    package static func parameters(from params: JSONValue?) throws(JSONRPCError) -> Parameters {
        try read(ParameterReader(params, declared: declared))
    }
}
