/// Arithmetic modulo the order of P-256, as far as verifying a signature needs it faster than libcrypto's general numbers
/// give it. Only for public numbers: the time taken depends on them.
enum P256Order {
    /// FIPS 186-5 and SP 800-186 section 3.2.1.3: n, least significant word first.
    private static let order = Words(0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, .max, 0xffff_ffff_0000_0000)
    /// -1 / n modulo 2^64.
    private static let factor: UInt64 = 0xccd1_c8aa_ee00_bc4f

    /// The inverse of a number modulo the order, by the binary Euclidean algorithm.
    ///
    /// - Parameter number: 32 bytes, most significant first, above zero and below the order.
    /// - Returns: 32 bytes, most significant first; nil when `number` is not such a number.
    static func inverse(of number: UnsafeRawBufferPointer) -> [UInt8]? {
        guard number.count == 32 else { return nil }
        var (u, v) = unsafe (Words(number), order)
        guard !u.isZero, u.isLess(than: v) else { return nil }
        // u = x * number and v = y * number, modulo the order. v is always odd, and u is after this.
        var (x, y) = (Words(1, 0, 0, 0), Words(0, 0, 0, 0))
        makeOdd(&u, &x)
        while true {
            // Which of the two is larger is as good as random, so nothing branches on it.
            let (difference, isSmaller) = u.minus(v)
            if difference.isZero { return y.bytes }
            let mask: UInt64 = isSmaller ? .max : 0
            v = v.replaced(by: u, mask)
            u = difference.negated(mask)
            let (step, isNegative) = x.minus(y)
            let forward = step.plus(order.masked(isNegative ? .max : 0))
            y = y.replaced(by: x, mask)
            x = forward.replaced(by: order.minus(forward).0, mask)
            makeOdd(&u, &x)
        }
    }

    /// Divides both by two until the first one is odd.
    @inline(__always)
    private static func makeOdd(_ u: inout Words, _ x: inout Words) {
        while u.first & 1 == 0 {
            // At most 63, so that no shift is by a whole word.
            let count = min(u.first.trailingZeroBitCount, 63)
            u.shiftRight(by: count)
            x.divide(byTwoToThe: count, order, factor)
        }
    }
}

/// A number of 256 bits.
private struct Words {
    var first, second, third, fourth: UInt64

    init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    }

    /// 32 bytes, most significant first.
    init(_ bytes: UnsafeRawBufferPointer) {
        func word(_ offset: Int) -> UInt64 {
            unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        self.init(word(24), word(16), word(8), word(0))
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [fourth, third, second, first] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }

    var isZero: Bool { first | second | third | fourth == 0 }

    @inline(__always)
    func isLess(than other: Words) -> Bool {
        if fourth != other.fourth { return fourth < other.fourth }
        if third != other.third { return third < other.third }
        if second != other.second { return second < other.second }
        return first < other.first
    }

    /// The difference modulo 2^256, and whether the other number is the larger one.
    @inline(__always)
    func minus(_ other: Words) -> (Words, Bool) {
        var borrow: UInt64 = 0
        @inline(__always) func step(_ left: UInt64, _ right: UInt64) -> UInt64 {
            let (difference, first) = left.subtractingReportingOverflow(right)
            let (result, second) = difference.subtractingReportingOverflow(borrow)
            borrow = (first ? 1 : 0) | (second ? 1 : 0)
            return result
        }
        let words = Words(
            step(first, other.first),
            step(second, other.second),
            step(third, other.third),
            step(fourth, other.fourth)
        )
        return (words, borrow != 0)
    }

    /// The sum modulo 2^256.
    @inline(__always)
    func plus(_ other: Words) -> Words {
        var carry: UInt64 = 0
        @inline(__always) func step(_ left: UInt64, _ right: UInt64) -> UInt64 {
            let (sum, first) = left.addingReportingOverflow(right)
            let (result, second) = sum.addingReportingOverflow(carry)
            carry = (first ? 1 : 0) | (second ? 1 : 0)
            return result
        }
        return Words(
            step(first, other.first),
            step(second, other.second),
            step(third, other.third),
            step(fourth, other.fourth)
        )
    }

    /// The other number where the mask is all ones, this one where it is zero.
    @inline(__always)
    func replaced(by other: Words, _ mask: UInt64) -> Words {
        Words(
            first ^ ((first ^ other.first) & mask),
            second ^ ((second ^ other.second) & mask),
            third ^ ((third ^ other.third) & mask),
            fourth ^ ((fourth ^ other.fourth) & mask)
        )
    }

    @inline(__always)
    func masked(_ mask: UInt64) -> Words {
        Words(first & mask, second & mask, third & mask, fourth & mask)
    }

    /// Its negative modulo 2^256 where the mask is all ones, itself where it is zero.
    @inline(__always)
    func negated(_ mask: UInt64) -> Words {
        Words(first ^ mask, second ^ mask, third ^ mask, fourth ^ mask).plus(Words(mask & 1, 0, 0, 0))
    }

    /// - Parameter count: 1 to 63.
    @inline(__always)
    mutating func shiftRight(by count: Int) {
        let (right, left) = (UInt64(count), UInt64(64 - count))
        first = first &>> right | second &<< left
        second = second &>> right | third &<< left
        third = third &>> right | fourth &<< left
        fourth = fourth &>> right
    }

    /// Divides by 2^count modulo an odd number, below which this one is.
    ///
    /// - Parameters:
    ///   - count: 1 to 63.
    ///   - factor: -1 / modulus modulo 2^64.
    @inline(__always)
    mutating func divide(byTwoToThe count: Int, _ modulus: Words, _ factor: UInt64) {
        // The multiple of the modulus that makes the last bits zero.
        let times = first &* factor & (1 &<< UInt64(count) &- 1)
        var carry: UInt64 = 0
        func step(_ word: UInt64, _ modulusWord: UInt64) -> UInt64 {
            let (high, low) = modulusWord.multipliedFullWidth(by: times)
            let (sum, first) = low.addingReportingOverflow(word)
            let (result, second) = sum.addingReportingOverflow(carry)
            carry = high &+ (first ? 1 : 0) &+ (second ? 1 : 0)
            return result
        }
        first = step(first, modulus.first)
        second = step(second, modulus.second)
        third = step(third, modulus.third)
        fourth = step(fourth, modulus.fourth)
        let fifth = carry
        shiftRight(by: count)
        fourth |= fifth &<< UInt64(64 - count)
    }
}
