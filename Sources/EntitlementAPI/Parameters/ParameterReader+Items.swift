package import JSON
package import JSONRPC

extension ParameterReader {
    /// Reads an object inside a parameter as if it were the params of a call of its own.
    ///
    /// - Parameters:
    ///   - path: the object's place, which stands before the names in errors: `transactions[3].account`.
    ///   - declared: the members that the object may have.
    package static func reading<Value>(
        _ value: JSONValue,
        as path: String,
        declared: [ParameterDescription],
        _ read: (ParameterReader) throws(JSONRPCError) -> Value
    ) throws(JSONRPCError) -> Value {
        guard value.objectValue != nil else { throw invalid(path, "\(path) must be an object") }
        do {
            return try read(ParameterReader(value, declared: declared))
        } catch {
            let name = error.data?["parameter"]?.stringValue
            throw invalid(name.map { "\(path).\($0)" } ?? path, "\(path): \(error.message)")
        }
    }
}
