import JSON

/// One request object as it was found in the body.
struct IncomingCall: Sendable {
    let method: String
    let params: JSONValue?
    /// nil for a notification.
    let id: RequestID?
}

/// An entry that is not a request object, with the id to answer under.
struct InvalidCall: Error {
    let error: JSONRPCError
    let id: RequestID

    init(_ error: JSONRPCError = .invalidRequest, id: RequestID = .null) {
        self.error = error
        self.id = id
    }
}

/// Reads request objects (JSON-RPC 2.0 section 4): strict about what the protocol names, indifferent to other members.
enum RPCRequestReader {
    private static let names = JSONKeyTable(["jsonrpc", "method", "params", "id"])

    /// Reads the request object a scanner stands before.
    static func read(_ start: JSONScanner) throws(InvalidCall) -> IncomingCall {
        var scanner = start
        var version: JSONToken?
        var method: JSONToken?
        var params: JSONToken?
        var idToken: JSONToken?
        do {
            while let member = try scanner.next() {
                switch names.index(of: member.key, in: scanner) {
                case 0: version = member.value
                case 1: method = member.value
                case 2: params = member.value
                case 3: idToken = member.value
                default: break
                }
            }
        } catch {
            throw InvalidCall(JSONRPCError(error))
        }

        var id: RequestID?
        if let idToken {
            guard let readable = RequestID(idToken, in: scanner) else { throw InvalidCall() }
            id = readable
        }
        guard let version, scanner.isString(version, "2.0"), let method, let name = scanner.string(method),
            params.map({ $0.kind == .object || $0.kind == .array }) ?? true
        else { throw InvalidCall(id: id ?? .null) }
        return IncomingCall(method: name, params: params.map { scanner.tree($0) }, id: id)
    }
}
