/// Writes values into bytes in one deterministic way: equal values give equal bytes.
///
/// Integers are zig-zag variable-length, texts are UTF-8 behind their length, an optional is one byte 0 or 1
/// before its value. The bytes are stored: a change of the layout needs a new version number in front.
package struct ByteEncoder {
    package private(set) var bytes: [UInt8] = []

    package init(reserving capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func encode(_ value: UInt8) {
        bytes.append(value)
    }

    package mutating func encode(_ value: Bool) {
        bytes.append(value ? 1 : 0)
    }

    package mutating func encode(_ value: Int64) {
        encode(unsigned: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    package mutating func encode(_ value: Int) {
        encode(Int64(value))
    }

    package mutating func encode(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            encode(unsigned: UInt64(utf8.count))
            unsafe bytes.append(contentsOf: utf8)
        }
    }

    package mutating func encode(_ value: Instant) {
        encode(value.milliseconds)
    }

    package mutating func encode(_ value: AccountID) {
        for half in [value.high, value.low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
    }

    package mutating func encode<Value>(optional value: Value?, _ encodeValue: (inout ByteEncoder, Value) -> Void) {
        if let value {
            bytes.append(1)
            encodeValue(&self, value)
        } else {
            bytes.append(0)
        }
    }

    package mutating func encode<Element>(list: [Element], _ encodeElement: (inout ByteEncoder, Element) -> Void) {
        encode(list.count)
        for element in list { encodeElement(&self, element) }
    }

    private mutating func encode(unsigned value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
    }
}
