package import JSON

/// The error object of a response (JSON-RPC 2.0 section 5.1).
package struct JSONRPCError: Error, Sendable, Hashable {
    /// What kind of error; -32768 to -32000 are reserved by the protocol.
    package let code: Int
    /// One sentence for people.
    package let message: String
    /// More for programs.
    package let data: JSONValue?

    package init(code: Int, message: String, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// The body is not JSON.
    // The name is the protocol's own.
    // swift-format-ignore: DontRepeatTypeInStaticProperties
    package static let parseError = JSONRPCError(code: -32700, message: "Parse error")
    /// The JSON is not a request object.
    package static let invalidRequest = JSONRPCError(code: -32600, message: "Invalid Request")
    /// There is no such method.
    package static let methodNotFound = JSONRPCError(code: -32601, message: "Method not found")
    /// The params do not fit the method.
    package static let invalidParams = JSONRPCError(code: -32602, message: "Invalid params")
    /// The server failed.
    // The name is the protocol's own.
    // swift-format-ignore: DontRepeatTypeInStaticProperties
    package static let internalError = JSONRPCError(code: -32603, message: "Internal error")

    /// The params do not fit the method, and how.
    package static func invalidParams(_ message: String, data: JSONValue? = nil) -> JSONRPCError {
        JSONRPCError(code: invalidParams.code, message: message, data: data)
    }

    /// The server failed, and what may be said about it.
    package static func internalError(_ message: String, data: JSONValue? = nil) -> JSONRPCError {
        JSONRPCError(code: internalError.code, message: message, data: data)
    }

    /// More requests in one batch than allowed.
    static func batchTooLarge(limit: Int) -> JSONRPCError {
        JSONRPCError(
            code: invalidRequest.code,
            message: "A batch holds at most \(limit) requests",
            data: ["reason": "batchTooLarge", "limit": JSONValue(limit)]
        )
    }

    /// The answers before this one in the batch have used up the response; this call was not run.
    static func responseTooLarge(limit: Int) -> JSONRPCError {
        JSONRPCError(
            code: invalidRequest.code,
            message: "The response of this batch is over \(limit) bytes; this call was not run, send it again",
            data: ["reason": "responseTooLarge", "limit": JSONValue(limit)]
        )
    }

    /// The body nests deeper than allowed.
    static func tooDeep(limit: Int) -> JSONRPCError {
        JSONRPCError(
            code: parseError.code,
            message: parseError.message,
            data: ["reason": "tooDeep", "limit": JSONValue(limit)]
        )
    }

    /// What the body deserves when it cannot be read.
    init(_ error: JSONSyntaxError) {
        if case .tooDeep(let limit) = error.reason {
            self = .tooDeep(limit: limit)
        } else {
            self = .parseError
        }
    }
}

extension JSONRPCError: CustomStringConvertible {
    package var description: String {
        "\(message) (code \(code))" + (data.map { ", data \($0)" } ?? "")
    }
}
