/// A number that stands for what it leaves modulo the order of P-256. It may be many times the order: only what is handed
/// out is reduced.
struct P256Residue {
    static let zero = P256Residue(Words256(0, 0, 0, 0), 0)
    static let one = P256Residue(Words256(1, 0, 0, 0), 0)

    /// -1 / n modulo 2^64.
    private static let factor: UInt64 = 0xccd1_c8aa_ee00_bc4f

    private let low: Words256
    /// Below 2^31.
    private let high: UInt64

    /// `low` and `high` times 2^256.
    @inline(__always)
    init(_ low: Words256, _ high: UInt64) {
        (self.low, self.high) = (low, high)
    }

    /// (f * a + g * b) / 2^62 modulo the order, less than the order above the larger one of `a` and `b`.
    ///
    /// - Parameters:
    ///   - f: With `g` not above 2^62, so that no sum below overflows.
    ///   - g: See `f`.
    @inline(__always)
    static func sum(_ f: UInt64, _ a: P256Residue, _ g: UInt64, _ b: P256Residue) -> P256Residue {
        let (aLow, bLow, order) = (a.low, b.low, P256Order.order)
        // The multiple of the order that makes the last 62 bits zero (P. L. Montgomery, Modular Multiplication Without
        // Trial Division, 1985).
        let times = (f &* aLow.first &+ g &* bLow.first) &* factor & (1 &<< 62 &- 1)
        var carry: UInt128 = 0
        @inline(__always)
        func step(_ aWord: UInt64, _ bWord: UInt64, _ orderWord: UInt64) -> UInt64 {
            carry &+= UInt128(product: f, aWord)
            carry &+= UInt128(product: g, bWord)
            carry &+= UInt128(product: times, orderWord)
            let word = UInt64(truncatingIfNeeded: carry)
            carry = carry &>> 64
            return word
        }
        let first = step(aLow.first, bLow.first, order.first)
        let second = step(aLow.second, bLow.second, order.second)
        let third = step(aLow.third, bLow.third, order.third)
        let fourth = step(aLow.fourth, bLow.fourth, order.fourth)
        let fifth = step(a.high, b.high, 0)
        let sixth = UInt64(truncatingIfNeeded: carry)
        let low = Words256(halved62Times: first, second, third, fourth, fifth)
        return P256Residue(low, fifth &>> 62 | sixth &<< 2)
    }

    /// The number below the order that leaves the same.
    var reduced: Words256 {
        // The order is so close to 2^256 that this is less than twice the order.
        let almost = minus(times: high, P256Order.order)
        let once = almost.minus(times: 1, P256Order.order)
        return once.high == 0 ? once.low : almost.low
    }

    /// The order or less.
    var negated: P256Residue {
        P256Residue(P256Order.order, 0).minus(times: 1, reduced)
    }

    /// Modulo 2^320.
    private func minus(times: UInt64, _ number: Words256) -> P256Residue {
        var carry: Int128 = 0
        func step(_ word: UInt64, _ numberWord: UInt64) -> UInt64 {
            carry &+= Int128(truncatingIfNeeded: word)
            carry &-= Int128(bitPattern: UInt128(product: times, numberWord))
            let result = UInt64(truncatingIfNeeded: carry)
            carry = carry &>> 64
            return result
        }
        let difference = Words256(
            step(low.first, number.first),
            step(low.second, number.second),
            step(low.third, number.third),
            step(low.fourth, number.fourth)
        )
        return P256Residue(difference, step(high, 0))
    }
}
