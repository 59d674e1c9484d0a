/// Builds a JSON document as bytes, without a tree in between.
///
/// Commas are set by the writer, brackets by the caller: every `begin…` needs its `end…`, and inside an object every
/// value its `key` before it. The writer does not check that; it is for code whose shape is fixed.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key("active")
///     writer.bool(true)
///     writer.endObject()
///     return writer.bytes
package struct JSONWriter: Sendable {
    /// The document so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An empty document with room for that many bytes.
    package init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// The name of the next value.
    package mutating func key(_ name: String) {
        separate()
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ value: String) {
        separate()
        JSONText.append(value, to: &bytes)
    }

    package mutating func int(_ value: Int64) {
        separate()
        JSONText.append(value, to: &bytes)
    }

    package mutating func int(_ value: Int) {
        int(Int64(value))
    }

    /// The shortest text that reads back as the value; `null` for an infinity or NaN, which JSON lacks.
    package mutating func double(_ value: Double) {
        guard value.isFinite else {
            null()
            return
        }
        raw(value.description)
    }

    package mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    package mutating func null() {
        raw("null")
    }

    package mutating func number(_ value: JSONNumber) {
        raw(value.text)
    }

    /// A tree.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Members that stand in the document already, once more.
    ///
    /// - Parameter members: their bytes, which begin with the comma behind the member before them.
    package mutating func repeatMembers(_ members: Range<Int>) {
        separate()
        bytes.append(contentsOf: Array(bytes[members.dropFirst()]))
    }

    /// A value that is already JSON; it is not looked at.
    package mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// A value that is already JSON, as part of a larger buffer; it is not looked at.
    package mutating func raw(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// A value that is already JSON; it is not looked at.
    package mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
    }

    // MARK: Members, for the common pairs of name and value

    package mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Int64) {
        key(name)
        int(value)
    }

    package mutating func member(_ name: String, _ value: Int) {
        key(name)
        int(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// A string, or `null`.
    package mutating func member(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// A number, or `null`.
    package mutating func member(_ name: String, _ value: Int64?) {
        key(name)
        if let value { int(value) } else { null() }
    }
}
