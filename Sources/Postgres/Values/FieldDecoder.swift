/// Reads the server's binary formats. Every function answers nil when the field is not what is asked for: another type,
/// or a length that the type cannot have. The field must not be NULL.
enum FieldDecoder {
    @inline(__always)
    static func bool(_ field: FieldBytes) -> Bool? {
        guard unsafe field.isOf(.bool), unsafe field.count == 1 else { return nil }
        return unsafe field.load(UInt8.self) != 0
    }

    @inline(__always)
    static func int16(_ field: FieldBytes) -> Int16? {
        guard unsafe field.isOf(.int2), unsafe field.count == 2 else { return nil }
        return unsafe field.load(Int16.self)
    }

    /// Reads int4, and int2, which it can hold.
    @inline(__always)
    static func int32(_ field: FieldBytes) -> Int32? {
        if unsafe field.isOf(.int4), unsafe field.count == 4 { return unsafe field.load(Int32.self) }
        return unsafe int16(field).map { Int32($0) }
    }

    /// Reads int8, and the shorter integers, which it can hold.
    @inline(__always)
    static func int64(_ field: FieldBytes) -> Int64? {
        if unsafe field.isOf(.int8), unsafe field.count == 8 { return unsafe field.load(Int64.self) }
        return unsafe int32(field).map { Int64($0) }
    }

    /// Reads float8 and float4.
    static func double(_ field: FieldBytes) -> Double? {
        if unsafe field.isOf(.float8), unsafe field.count == 8 {
            return unsafe Double(bitPattern: field.load(UInt64.self))
        }
        guard unsafe field.isOf(.float4), unsafe field.count == 4 else { return nil }
        return unsafe Double(Float(bitPattern: field.load(UInt32.self)))
    }

    /// Reads the types that the server sends as text in binary format too.
    static func text(_ field: FieldBytes) -> String? {
        switch unsafe field.type {
        case .text, .varchar, .unspecified, .name, .bpchar, .json, .unknown:
            unsafe String(decoding: field.buffer, as: UTF8.self)
        default: nil
        }
    }

    static func bytes(_ field: FieldBytes) -> [UInt8]? {
        guard unsafe field.isOf(.bytea) else { return nil }
        return unsafe [UInt8](field.buffer)
    }

    @inline(__always)
    static func uuid(_ field: FieldBytes) -> UUIDBytes? {
        guard unsafe field.isOf(.uuid), unsafe field.count == 16 else { return nil }
        return unsafe UUIDBytes(high: field.load(UInt64.self), low: field.load(UInt64.self, at: 8))
    }

    /// Microseconds since 1970.
    @inline(__always)
    static func timestamp(_ field: FieldBytes) -> Int64? {
        guard unsafe field.isOf(.timestamptz), unsafe field.count == 8 else { return nil }
        return unsafe PostgresEpoch.fromWire(field.load(Int64.self))
    }

    /// The JSON text of jsonb (without its version byte) or json, as UTF-8.
    static func json(_ field: FieldBytes) -> [UInt8]? {
        if unsafe field.type == .json { return unsafe [UInt8](field.buffer) }
        guard unsafe field.isOf(.jsonb), unsafe field.count >= 1 else { return nil }
        guard unsafe field.load(UInt8.self) == PostgresValue.jsonbVersion else { return nil }
        return unsafe [UInt8](field.buffer.dropFirst())
    }

    /// Reads a one-dimensional array, element by element, with one of the functions above.
    ///
    /// The header (see `PostgresValue+Encoding.swift`) and every length are checked against the field's own length.
    @inline(__always)
    static func array<Element>(_ field: FieldBytes, _ element: (FieldBytes) -> Element?) -> [Element?]? {
        guard unsafe field.count >= 12 else { return nil }
        let dimensions = unsafe field.load(Int32.self)
        if dimensions == 0 { return unsafe field.count == 12 ? [] : nil }
        guard dimensions == 1, unsafe field.count >= 20 else { return nil }
        let type = unsafe PostgresType(rawValue: field.load(UInt32.self, at: 8))
        let count = unsafe Int(field.load(Int32.self, at: 12))
        var offset = 20
        guard count >= 0, unsafe count <= (field.count - offset) / 4 else { return nil }
        var elements: [Element?] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            guard unsafe offset + 4 <= field.count else { return nil }
            let length = unsafe Int(field.load(Int32.self, at: offset))
            offset += 4
            if length == -1 {
                elements.append(nil)
                continue
            }
            guard length >= 0, unsafe length <= field.count - offset else { return nil }
            let slice = unsafe FieldBytes(start: field.start.unsafelyUnwrapped + offset, count: length, type: type)
            guard let value = unsafe element(slice) else { return nil }
            elements.append(value)
            offset += length
        }
        return unsafe offset == field.count ? elements : nil
    }
}
