import Foundation
import JSON

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A single call to a service that is measured.
struct BenchRequest {
    let url: String
    let key: String

    /// The body of a call.
    static func body(_ method: String, _ parameters: JSONObject) -> [UInt8] {
        let call: JSONObject = [
            "jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .object(parameters),
        ]
        return JSONValue.object(call).serialized()
    }

    /// - Returns: the body of the response.
    /// - Throws: `CommandError` when it is an error.
    @discardableResult
    func call(_ method: String, _ parameters: JSONObject) async throws -> [UInt8] {
        guard let url = URL(string: "\(url)/rpc") else { throw CommandError(.software, "\(url) is no URL") }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(Self.body(method, parameters))
        let (data, _) = try await URLSession.shared.data(for: request)
        let answer = try JSONParser.parse([UInt8](data))
        guard answer["result"] != nil else {
            throw CommandError(.software, "\(method) failed: \(String(decoding: data.prefix(300), as: UTF8.self))")
        }
        return [UInt8](data)
    }
}
