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
                        + "parameters by name, Authorization: Bearer <key>."
                ),
                "license": ["name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
            ],
            "methods": .array(methods.map { describe($0) }),
            "components": ["errors": .object(errors)],
        ]
    }

    private static func describe(_ method: any APIMethod.Type) -> JSONValue {
        var reasons = method.reasons
        if method.scope != nil { reasons = [.unauthorized, .forbidden, .rateLimited] + reasons }
        reasons.append(.unavailable)
        return [
            "name": .string(method.name),
            "summary": .string(method.summary),
            "paramStructure": "by-name",
            "params": .array(method.declared.map { describe($0) }),
            "result": ["name": "result", "schema": resultSchema(of: method)],
            "errors": .array(reasons.map { ["$ref": .string("#/components/errors/\($0.rawValue)")] }),
            "x-scope": method.scope.map { .string($0.rawValue) } ?? .null,
        ]
    }

    private static func resultSchema<Method: APIMethod>(of method: Method.Type) -> JSONValue {
        Method.Response.schema
    }

    private static func describe(_ parameter: ParameterDescription) -> JSONValue {
        [
            "name": .string(parameter.name),
            "description": .string(parameter.summary),
            "required": .bool(parameter.isRequired),
            "schema": parameter.schema,
        ]
    }

    private static var errors: JSONObject {
        var errors = JSONObject()
        for reason in ErrorReason.allCases {
            errors.set(
                reason.rawValue,
                [
                    "code": .number(JSONNumber(Int64(reason.code))),
                    "message": .string(reason.summary),
                    "data": ["reason": .string(reason.rawValue), "retryable": .bool(reason.isRetryable)],
                ]
            )
        }
        return errors
    }
}
