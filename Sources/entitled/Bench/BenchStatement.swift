import JSON

/// Takes statements out of the bodies of requests.
enum BenchStatement {
    static func signedTransaction(in body: [UInt8]) throws -> String {
        guard let text = try JSONParser.parse(body)["params"]?["signedTransaction"]?.stringValue else {
            throw CommandError(.software, "the body of an upload has no signedTransaction")
        }
        return text
    }
}
