package import JSON

/// What an OpenRPC document promises of the answers to calls.
package struct ServiceContract: Sendable {
    package let document: JSONValue
    private let methods: [String: JSONValue]

    package init(_ document: JSONValue) {
        self.document = document
        methods = Dictionary(
            (document["methods"]?.arrayValue ?? []).compactMap { method in
                method["name"]?.stringValue.map { ($0, method) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    package var methodNames: [String] { methods.keys.sorted() }

    package func method(_ name: String) -> JSONValue? { methods[name] }

    /// What is wrong with a result: it must have all members that are promised, and no others.
    package func problems(ofResult result: JSONValue, of name: String) -> [String] {
        guard let schema = methods[name]?["result"]?["schema"] else { return ["\(name) has no result schema"] }
        return JSONSchema(schema, in: document, isClosed: true).problems(of: result, at: name)
    }

    /// What is wrong with an error: the method must name it, with its code, reason and retryable.
    package func problems(ofError error: JSONValue, of name: String) -> [String] {
        guard let method = methods[name] else {
            return error["code"] == -32601 ? [] : ["\(name) is no method, and yet was answered \(error)"]
        }
        let references = (method["errors"]?.arrayValue ?? []).compactMap { $0["$ref"]?.stringValue }
        let errors = references.compactMap { reference in
            reference.split(separator: "/").last.flatMap { document["components"]?["errors"]?[String($0)] }
        }
        let fitting = errors.contains { promised in
            guard promised["code"] == error["code"] else { return false }
            let data = promised["data"]
            // Without data in the document the error carries none; it may lack members that only some cases have.
            return ["reason", "retryable"].allSatisfy { data?[$0] == error["data"]?[$0] }
        }
        return fitting ? [] : ["\(name) does not name the error \(error)"]
    }

    /// What is wrong with the whole answer to a call.
    package func problems(ofAnswer answer: JSONValue, of name: String) -> [String] {
        if let result = answer["result"] { return problems(ofResult: result, of: name) }
        return problems(ofError: answer["error"] ?? .null, of: name)
    }
}
