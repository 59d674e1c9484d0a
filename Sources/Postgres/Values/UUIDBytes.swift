/// A UUID as two words, ordered like its 16 bytes.
package struct UUIDBytes: Hashable, Sendable {
    /// Bytes 0 to 7, the first of them most significant.
    package var high: UInt64
    /// Bytes 8 to 15.
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 16 bytes in network order; nil for any other number of bytes.
    package init?(bytes: some Sequence<UInt8>) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var count = 0
        for byte in bytes {
            guard count < 16 else { return nil }
            if count < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
            count += 1
        }
        guard count == 16 else { return nil }
        self.init(high: high, low: low)
    }

    /// Reads the 36-character form of RFC 9562 section 4, letters in either case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        var place = 0
        for character in text.utf8 {
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
            } else {
                let digit: UInt8
                switch character {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
                case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
                case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
                default: return nil
                }
                guard digits < 32 else { return nil }
                if digits < 16 {
                    words.0 = words.0 << 4 | UInt64(digit)
                } else {
                    words.1 = words.1 << 4 | UInt64(digit)
                }
                digits += 1
            }
            place += 1
        }
        guard digits == 32, place == 36 else { return nil }
        self.init(high: words.0, low: words.1)
    }

    /// The 16 bytes in network order.
    package var bytes: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                unsafe buffer[index] = UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64(index)))
                unsafe buffer[index + 8] = UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64(index)))
            }
            count = 16
        }
    }
}

extension UUIDBytes: Comparable {
    package static func < (left: UUIDBytes, right: UUIDBytes) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension UUIDBytes: CustomStringConvertible {
    /// The 36-character form with small letters.
    package var description: String {
        unsafe String(unsafeUninitializedCapacity: 36) { buffer in
            var place = 0
            for index in 0..<32 {
                if place == 8 || place == 13 || place == 18 || place == 23 {
                    unsafe buffer[place] = UInt8(ascii: "-")
                    place += 1
                }
                let word = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(index % 16))) & 15
                unsafe buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                place += 1
            }
            return 36
        }
    }
}
