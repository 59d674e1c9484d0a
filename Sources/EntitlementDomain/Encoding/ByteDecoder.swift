/// Reads what `ByteEncoder` wrote.
package struct ByteDecoder {
    private let bytes: [UInt8]
    private var index = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func byte() throws(DecodingFailure) -> UInt8 {
        guard index < bytes.count else { throw DecodingFailure.truncated }
        defer { index += 1 }
        return bytes[index]
    }

    package mutating func bool() throws(DecodingFailure) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .invalidValue
        }
    }

    package mutating func int64() throws(DecodingFailure) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    package mutating func int() throws(DecodingFailure) -> Int {
        Int(try int64())
    }

    package mutating func string() throws(DecodingFailure) -> String {
        let length = try unsigned()
        guard length <= UInt64(bytes.count - index) else { throw .truncated }
        let end = index + Int(length)
        defer { index = end }
        return String(decoding: bytes[index..<end], as: UTF8.self)
    }

    package mutating func instant() throws(DecodingFailure) -> Instant {
        Instant(milliseconds: try int64())
    }

    package mutating func account() throws(DecodingFailure) -> AccountID {
        var (high, low): (UInt64, UInt64) = (0, 0)
        for _ in 0..<8 { high = high << 8 | UInt64(try byte()) }
        for _ in 0..<8 { low = low << 8 | UInt64(try byte()) }
        return AccountID(high: high, low: low)
    }

    package mutating func optional<Value>(
        _ decodeValue: (inout ByteDecoder) throws(DecodingFailure) -> Value
    ) throws(DecodingFailure) -> Value? {
        try bool() ? try decodeValue(&self) : nil
    }

    package mutating func list<Element>(
        _ decodeElement: (inout ByteDecoder) throws(DecodingFailure) -> Element
    ) throws(DecodingFailure) -> [Element] {
        let count = try int()
        guard count >= 0, count <= bytes.count - index else { throw .truncated }
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try decodeElement(&self)) }
        return list
    }

    private mutating func unsigned() throws(DecodingFailure) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            guard shift < 64 else { throw .invalidValue }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }
}
