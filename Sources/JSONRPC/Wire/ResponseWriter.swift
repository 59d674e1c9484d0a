import JSON

/// Spells responses (JSON-RPC 2.0 section 5).
enum ResponseWriter {
    private static let prefix = Array(#"{"jsonrpc":"2.0","result":"#.utf8)
    private static let idName = Array(#","id":"#.utf8)

    /// A response with a result that is JSON already.
    static func result(_ result: [UInt8], id: RequestID) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(prefix.count + result.count + idName.count + id.token.utf8.count + 1)
        bytes.append(contentsOf: prefix)
        bytes.append(contentsOf: result)
        bytes.append(contentsOf: idName)
        bytes.append(contentsOf: id.token.utf8)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// A response with an error.
    static func error(_ error: JSONRPCError, id: RequestID) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("jsonrpc", "2.0")
        writer.key("error")
        writer.beginObject()
        writer.member("code", error.code)
        writer.member("message", error.message)
        if let data = error.data {
            writer.key("data")
            writer.value(data)
        }
        writer.endObject()
        writer.key("id")
        writer.raw(id.token)
        writer.endObject()
        return writer.bytes
    }
}
