import EntitlementAPI
import JSON
import JSONRPC

/// Binds typed declarations to the functions that answer them.
struct MethodTable {
    private(set) var methods: [RPCMethod<Caller>] = []
    private(set) var declarations: [any APIMethod.Type] = []
    /// The OpenRPC document; null until `rpc.discover` is added.
    var document: JSONValue = .null

    /// Adds a method: its parameters are read by its declaration, its result writes itself.
    mutating func add<Method: APIMethod>(
        _ method: Method.Type,
        _ answer: @escaping @Sendable (Method.Parameters) async throws(JSONRPCError) -> Method.Response
    ) {
        declarations.append(method)
        methods.append(
            RPCMethod(method.name) { params, _ async throws(JSONRPCError) in
                try await answer(try method.parameters(from: params)).json
            }
        )
    }

    /// Adds a method whose result may be there as JSON already.
    mutating func add<Method: APIMethod>(
        _ method: Method.Type,
        bytes answer: @escaping @Sendable (Method.Parameters) async throws(JSONRPCError) -> [UInt8]
    ) {
        declarations.append(method)
        methods.append(
            RPCMethod(method.name) { params, _ async throws(JSONRPCError) in
                try await answer(try method.parameters(from: params))
            }
        )
    }

    /// The scope of each method; a method that needs none is there with nil.
    var scopes: [String: Scope?] {
        Dictionary(declarations.map { ($0.name, $0.scope) }, uniquingKeysWith: { first, _ in first })
    }
}
