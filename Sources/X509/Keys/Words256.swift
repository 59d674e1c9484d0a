/// A number below 2^256.
struct Words256 {
    /// The words, least significant first.
    let first, second, third, fourth: UInt64

    @inline(__always)
    init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    }

    /// The lowest 256 bits of a number of five words, least significant first, divided by 2^62.
    @inline(__always)
    init(
        halved62Times first: UInt64,
        _ second: UInt64,
        _ third: UInt64,
        _ fourth: UInt64,
        _ fifth: UInt64
    ) {
        self.init(
            first &>> 62 | second &<< 2,
            second &>> 62 | third &<< 2,
            third &>> 62 | fourth &<< 2,
            fourth &>> 62 | fifth &<< 2
        )
    }

    /// - Parameter bytes: 32, most significant first.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        func word(_ offset: Int) -> UInt64 {
            unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        self.init(word(24), word(16), word(8), word(0))
    }

    /// 32 bytes, most significant first.
    var bytes: [UInt8] {
        let words: InlineArray = [fourth, third, second, first]
        var bytes = [UInt8](repeating: 0, count: 32)
        for offset in bytes.indices {
            bytes[offset] = UInt8(truncatingIfNeeded: words[offset / 8] &>> UInt64(56 - 8 * (offset % 8)))
        }
        return bytes
    }

    @inline(__always)
    var isZero: Bool { first | second | third | fourth == 0 }

    @inline(__always)
    func isLess(than other: Words256) -> Bool {
        if fourth != other.fourth { return fourth < other.fourth }
        if third != other.third { return third < other.third }
        if second != other.second { return second < other.second }
        return first < other.first
    }

    /// The highest bits of two numbers, not both zero: the same 63 of each, the first of which is set in one of them.
    /// Shorter numbers have zeros below, instead of the bits they lack.
    @inline(__always)
    static func highest63Bits(_ a: Words256, _ b: Words256) -> (a: Int64, b: Int64) {
        @inline(__always)
        func bits(_ high: UInt64, _ low: UInt64, _ shift: UInt64) -> Int64 {
            Int64(bitPattern: (high &<< shift | (low &>> 1) &>> (63 &- shift)) &>> 1)
        }
        @inline(__always)
        func both(_ aHigh: UInt64, _ aLow: UInt64, _ bHigh: UInt64, _ bLow: UInt64) -> (a: Int64, b: Int64) {
            let shift = UInt64(truncatingIfNeeded: (aHigh | bHigh).leadingZeroBitCount)
            return (bits(aHigh, aLow, shift), bits(bHigh, bLow, shift))
        }
        if a.fourth | b.fourth != 0 { return both(a.fourth, a.third, b.fourth, b.third) }
        if a.third | b.third != 0 { return both(a.third, a.second, b.third, b.second) }
        if a.second | b.second != 0 { return both(a.second, a.first, b.second, b.first) }
        return both(a.first, 0, b.first, 0)
    }

    /// (f * a - g * b) / 2^62, where that is a whole number.
    ///
    /// - Parameters:
    ///   - f: With `g` not above 2^62, so that no sum below overflows.
    ///   - g: See `f`.
    @inline(__always)
    static func difference(
        _ f: UInt64,
        _ a: Words256,
        _ g: UInt64,
        _ b: Words256
    ) -> (magnitude: Words256, isNegative: Bool) {
        var carry: Int128 = 0
        @inline(__always)
        func step(_ aWord: UInt64, _ bWord: UInt64) -> UInt64 {
            carry &+= Int128(bitPattern: UInt128(product: f, aWord) &- UInt128(product: g, bWord))
            let word = UInt64(truncatingIfNeeded: carry)
            carry = carry &>> 64
            return word
        }
        let first = step(a.first, b.first)
        let second = step(a.second, b.second)
        let third = step(a.third, b.third)
        let fourth = step(a.fourth, b.fourth)
        let fifth = UInt64(truncatingIfNeeded: carry)
        let result = Words256(halved62Times: first, second, third, fourth, fifth)
        return carry < 0 ? (result.negated, true) : (result, false)
    }

    /// The negative modulo 2^256.
    private var negated: Words256 {
        var carry = true
        func step(_ word: UInt64) -> UInt64 {
            let (sum, overflow) = (~word).addingReportingOverflow(carry ? 1 : 0)
            carry = overflow
            return sum
        }
        return Words256(step(first), step(second), step(third), step(fourth))
    }
}
