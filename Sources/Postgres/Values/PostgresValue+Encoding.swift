/// The server's binary formats (PostgreSQL sources, the `…send`/`…recv` functions of each type): integers and floats in
/// network order, text and bytea as they are, timestamps as microseconds from 2000, jsonb behind a version byte of 1,
/// arrays behind a header of five words.
extension PostgresValue {
    /// The version byte in front of a jsonb value.
    static let jsonbVersion: UInt8 = 1

    /// Appends the value's bytes, without a length.
    ///
    /// - Returns: whether there is a value; false for NULL, which has no bytes.
    func encode(into buffer: WireBuffer) -> Bool {
        switch self {
        case .null: return false
        case .bool(let value): buffer.append(UInt8(value ? 1 : 0))
        case .int2(let value): buffer.append(value)
        case .int4(let value): buffer.append(value)
        case .int8(let value): buffer.append(value)
        case .float8(let value): buffer.append(value.bitPattern)
        case .text(let value): buffer.append(value)
        case .bytea(let value): buffer.append(value)
        case .uuid(let value):
            buffer.append(value.high)
            buffer.append(value.low)
        case .timestamptz(let value): buffer.append(PostgresEpoch.toWire(value))
        case .jsonb(let value):
            buffer.append(Self.jsonbVersion)
            buffer.append(value)
        case .boolArray(let values):
            Self.encode(values, of: .bool, into: buffer) { buffer.append(UInt8($0 ? 1 : 0)) }
        case .int2Array(let values): Self.encode(values, of: .int2, into: buffer) { buffer.append($0) }
        case .int4Array(let values): Self.encode(values, of: .int4, into: buffer) { buffer.append($0) }
        case .int8Array(let values): Self.encode(values, of: .int8, into: buffer) { buffer.append($0) }
        case .float8Array(let values):
            Self.encode(values, of: .float8, into: buffer) { buffer.append($0.bitPattern) }
        case .textArray(let values): Self.encode(values, of: .text, into: buffer) { buffer.append($0) }
        case .byteaArray(let values): Self.encode(values, of: .bytea, into: buffer) { buffer.append($0) }
        case .uuidArray(let values):
            Self.encode(values, of: .uuid, into: buffer) {
                buffer.append($0.high)
                buffer.append($0.low)
            }
        case .timestamptzArray(let values):
            Self.encode(values, of: .timestamptz, into: buffer) { buffer.append(PostgresEpoch.toWire($0)) }
        case .jsonbArray(let values):
            Self.encode(values, of: .jsonb, into: buffer) {
                buffer.append(Self.jsonbVersion)
                buffer.append($0)
            }
        }
        return true
    }

    /// Appends the value behind its length in four bytes, -1 for NULL: the form of array elements and COPY fields.
    func encodeWithLength(into buffer: WireBuffer) {
        let lengthOffset = buffer.count
        buffer.append(Int32(-1))
        if encode(into: buffer) {
            buffer.patch(Int32(truncatingIfNeeded: buffer.count - lengthOffset - 4), at: lengthOffset)
        }
    }

    /// Number of dimensions, "has nulls" flag, element type, then per dimension its length and lower bound (1), then
    /// the elements. An empty array has no dimension at all.
    @inline(__always)
    private static func encode<Element>(
        _ elements: [Element?],
        of type: PostgresType,
        into buffer: WireBuffer,
        _ append: (Element) -> Void
    ) {
        buffer.append(Int32(elements.isEmpty ? 0 : 1))
        let flagOffset = buffer.count
        buffer.append(Int32(0))
        buffer.append(type.rawValue)
        guard !elements.isEmpty else { return }
        buffer.append(Int32(truncatingIfNeeded: elements.count))
        buffer.append(Int32(1))
        var hasNulls = false
        for element in elements {
            let lengthOffset = buffer.count
            buffer.append(Int32(-1))
            if let element {
                append(element)
                buffer.patch(Int32(truncatingIfNeeded: buffer.count - lengthOffset - 4), at: lengthOffset)
            } else {
                hasNulls = true
            }
        }
        if hasNulls { buffer.patch(1, at: flagOffset) }
    }
}
