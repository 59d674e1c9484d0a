package import JSON

/// A request as a client builds it.
package struct RPCRequest: Sendable, Hashable {
    package let method: String
    /// An object or an array; nil for none.
    package let params: JSONValue?
    /// nil for a notification, which is never answered.
    package let id: RequestID?

    package init(_ method: String, params: JSONValue? = nil, id: RequestID?) {
        self.method = method
        self.params = params
        self.id = id
    }

    /// The body to send.
    package func serialized() -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// The body of a batch; at least one request.
    package static func serialized(batch requests: [RPCRequest]) -> [UInt8] {
        var writer = JSONWriter(capacity: 256 * requests.count)
        writer.beginArray()
        for request in requests { request.write(to: &writer) }
        writer.endArray()
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("jsonrpc", "2.0")
        writer.member("method", method)
        if let params {
            writer.key("params")
            writer.value(params)
        }
        if let id {
            writer.key("id")
            writer.raw(id.token)
        }
        writer.endObject()
    }
}
