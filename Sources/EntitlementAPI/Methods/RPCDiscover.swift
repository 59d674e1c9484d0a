package import JSON
package import JSONRPC

/// `rpc.discover`: the OpenRPC document of this interface.
package enum RPCDiscover: APIMethod {
    package struct Parameters: Sendable, Hashable {}

    package struct Response: APIResponse {
        package var document: JSONValue

        package init(document: JSONValue) {
            self.document = document
        }

        package func write(to writer: inout JSONWriter) {
            writer.value(document)
        }

        package static let schema: JSONValue = ["type": "object", "description": "An OpenRPC document."]
    }

    package static let name = "rpc.discover"
    package static let scope: Scope? = nil
    package static let summary = "This document."
    package static let declared: [ParameterDescription] = []
    package static let reasons: [ErrorReason] = []

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters()
    }
}
