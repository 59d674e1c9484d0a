package import JSON

/// A typed result that writes itself as JSON.
package protocol APIResponse: Sendable {
    /// JSON Schema (draft 7) of what `write` writes.
    static var schema: JSONValue { get }

    /// Under which name the OpenRPC document has the schema, when several methods share it.
    static var component: SchemaComponent? { get }

    func write(to writer: inout JSONWriter)
}

extension APIResponse {
    package static var component: SchemaComponent? { nil }

    /// The result as JSON bytes.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension JSONWriter {
    /// A member that is present and null when there is no value.
    package mutating func nullable<Value>(_ name: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
        key(name)
        if let value { write(&self, value) } else { null() }
    }
}
