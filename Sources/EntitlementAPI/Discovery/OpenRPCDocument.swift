package import JSON

/// The OpenRPC document (version 1.3.2), made from the declarations that dispatch the calls.
package enum OpenRPCDocument {
    /// - Parameters:
    ///   - methods: the methods that the server answers.
    ///   - version: the product's version.
    package static func make(methods: [any APIMethod.Type], version: String) -> JSONValue {
        [
            "openrpc": "1.3.2",
            "info": [
                "title": "entitled",
                "version": .string(version),
                "description": .string(
                    "What an account is entitled to, at any instant, with the evidence. POST /rpc, JSON-RPC 2.0, "
                        + "parameters by name, Authorization: Bearer <key>. x-scope is what the key must be allowed; a "
                        + "key with a rate is charged for each call of a batch, and once for a call about many accounts "
                        + "or transactions."
                ),
                "license": ["name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
            ],
            "methods": .array(methods.map { describe($0) }),
            "components": ["schemas": .object(schemas), "errors": .object(OpenRPCErrors.all)],
        ]
    }

    private static func describe(_ method: any APIMethod.Type) -> JSONValue {
        // What must be given comes first, as OpenRPC wants it.
        let params = method.declared.filter(\.isRequired) + method.declared.filter { !$0.isRequired }
        let examples = MethodExample.all.filter { $0.method == method.name }
        return [
            "name": .string(method.name),
            "summary": .string(method.summary),
            "paramStructure": "by-name",
            "params": .array(params.map { describe($0) }),
            "result": ["name": "result", "schema": resultSchema(of: method)],
            "errors": .array(OpenRPCErrors.names(of: method).map { ["$ref": .string("#/components/errors/\($0)")] }),
            "examples": .array(examples.map(\.pairing)),
            "x-scope": method.scope.map { .string($0.rawValue) } ?? .null,
        ]
    }

    private static func resultSchema<Method: APIMethod>(of method: Method.Type) -> JSONValue {
        Method.Response.component?.reference ?? Method.Response.schema
    }

    private static func describe(_ parameter: ParameterDescription) -> JSONValue {
        [
            "name": .string(parameter.name),
            "description": .string(parameter.summary),
            "required": .bool(parameter.isRequired),
            "schema": parameter.schema,
        ]
    }

    private static var schemas: JSONObject {
        JSONObject(SchemaComponent.allCases.map { JSONObject.Member(key: $0.rawValue, value: $0.schema) })
    }
}
