/// The identity of an account of the company: a UUID, compared by value, written in lower case.
///
/// It is what apps set as `appAccountToken` (App Store Server API, appAccountToken).
package struct AccountID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The first eight bytes, big-endian.
    package var high: UInt64
    /// The last eight bytes, big-endian.
    package var low: UInt64

    /// The UUID made of these two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Stands for every account that was erased, wherever a statement that came later names one: the UUID of zeros.
    package static let erased = AccountID(high: 0, low: 0)

    /// Reads the 36-character form with hyphens in either case; nil for anything else.
    package init?(_ text: String) {
        self.init(utf8: text.utf8Span.span)
    }

    /// Reads the 36-character form from its bytes, in either case; nil for anything else.
    package init?(utf8 bytes: Span<UInt8>) {
        guard bytes.count == 36 else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        var count = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let value: UInt8
            switch byte {
            case 48...57: value = byte - 48
            case 65...70: value = byte - 55
            case 97...102: value = byte - 87
            default: return nil
            }
            if count < 16 {
                halves.high = halves.high << 4 | UInt64(value)
            } else {
                halves.low = halves.low << 4 | UInt64(value)
            }
            count += 1
        }
        self.init(high: halves.high, low: halves.low)
    }

    /// The 36-character lower-case form.
    package var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { bytes.append(UInt8(ascii: "-")) }
            let half = index < 16 ? high : low
            let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (index % 16))) & 15
            bytes.append(nibble < 10 ? 48 + nibble : 87 + nibble)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func < (left: AccountID, right: AccountID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
