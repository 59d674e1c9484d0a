package import JSON

/// A response as a client reads it (JSON-RPC 2.0 section 5).
package struct RPCResponse: Sendable, Hashable {
    /// The id of the request it answers; null when the server could not read one.
    package let id: RequestID
    package let result: Result<JSONValue, JSONRPCError>

    package init(id: RequestID, result: Result<JSONValue, JSONRPCError>) {
        self.id = id
        self.result = result
    }

    /// Reads the answer to a single request, or the single error a server gives to a whole batch.
    ///
    /// - Throws: `RPCResponseError` for anything that is not a response.
    package init(_ body: [UInt8]) throws(RPCResponseError) {
        let read: Result<RPCResponse, RPCResponseError>
        do throws(JSONSyntaxError) {
            read = try RPCResponse.read(try JSONScanner(body))
        } catch  where error.reason == .notAnObject {
            throw .notAResponse("a JSON object is needed")
        } catch {
            throw .notJSON(error)
        }
        self = try read.get()
    }

    /// Reads the answers to a batch, in the server's order. A single response object (an error about the batch as a
    /// whole) gives one element.
    ///
    /// - Throws: `RPCResponseError` when any of them is not a response.
    package static func batch(_ body: [UInt8]) throws(RPCResponseError) -> [RPCResponse] {
        let elements: JSONElements
        do throws(JSONSyntaxError) {
            elements = try JSONElements(body)
        } catch  where error.reason == .notAnArray {
            return [try RPCResponse(body)]
        } catch {
            throw .notJSON(error)
        }
        var responses: [RPCResponse] = []
        for element in elements.tokens {
            guard let scanner = JSONScanner(element, in: body) else {
                throw .notAResponse("an element of the batch is not an object")
            }
            let read: Result<RPCResponse, RPCResponseError>
            do throws(JSONSyntaxError) {
                read = try RPCResponse.read(scanner)
            } catch {
                throw .notJSON(error)
            }
            responses.append(try read.get())
        }
        return responses
    }

    private static func read(_ start: JSONScanner) throws(JSONSyntaxError) -> Result<RPCResponse, RPCResponseError> {
        var scanner = start
        var version: JSONToken?
        var id: JSONToken?
        var result: JSONToken?
        var error: JSONToken?
        while let member = try scanner.next() {
            switch scanner.text(member.key) {
            case "jsonrpc": version = member.value
            case "id": id = member.value
            case "result": result = member.value
            case "error": error = member.value
            default: break
            }
        }
        guard let version, scanner.isString(version, "2.0") else {
            return .failure(.notAResponse("the member jsonrpc is not \"2.0\""))
        }
        guard let id, let id = RequestID(id, in: scanner) else {
            return .failure(.notAResponse("the member id is missing or no id"))
        }
        switch (result, error) {
        case (let result?, nil):
            return .success(RPCResponse(id: id, result: .success(scanner.tree(result))))
        case (nil, let error?):
            let value = scanner.tree(error)
            guard let code = value["code"]?.int64Value, let message = value["message"]?.stringValue else {
                return .failure(.notAResponse("the error has no code or no message"))
            }
            let error = JSONRPCError(code: Int(code), message: message, data: value["data"])
            return .success(RPCResponse(id: id, result: .failure(error)))
        default:
            return .failure(.notAResponse("exactly one of result and error is needed"))
        }
    }
}

/// Why a body is not a JSON-RPC response.
package enum RPCResponseError: Error, Sendable, Hashable {
    case notJSON(JSONSyntaxError)
    /// What is wrong with it.
    case notAResponse(String)
}

extension RPCResponseError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notJSON(let error): "the answer is not JSON: \(error)"
        case .notAResponse(let problem): "the answer is not a JSON-RPC 2.0 response: \(problem)"
        }
    }
}
