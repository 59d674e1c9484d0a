/// What 62 halvings of the binary Euclidean algorithm make of two numbers p and q, one of them odd:
/// (first.p * p - first.q * q) / 2^62 and (second.q * q - second.p * p) / 2^62.
///
/// Whether a number is even and how often it can be halved depends on its low bits alone, so their 64 lowest decide for
/// all 62. Which of the two is larger is asked of their 63 highest bits. Those are not exact, for they know of no carry
/// from below. So the smaller one can be taken for the larger, which costs time but does no harm: the difference is then
/// negative.
struct EuclideanBatch {
    /// How often p and q are taken, each 2^62 at most, and so is the sum of the two.
    typealias Factors = (p: UInt64, q: UInt64)

    let first, second: Factors

    /// - Parameter isFirstOdd: All ones when it is p that is odd, zero when it is q; afterwards the same of the results.
    @inline(__always)
    init(_ p: Words256, _ q: Words256, _ isFirstOdd: inout UInt64) {
        let high = Words256.highest63Bits(p, q)
        // The one to be halved, and the one that is odd. They trade places by a mask: it is as good as random which one
        // is larger, so nothing branches on it.
        var even = Side(low: p.first, high: high.a, p: 1, q: 0)
        var odd = Side(low: q.first, high: high.b, p: 0, q: 1)
        even.exchange(with: &odd, isFirstOdd)
        var left: UInt64 = 62
        while even.low != 0 {
            let count = UInt64(truncatingIfNeeded: even.low.trailingZeroBitCount)
            guard count < left else { break }
            even.halve(count)
            odd.double(count)
            left &-= count
            isFirstOdd ^= even.subtract(&odd)
        }
        odd.double(left)
        even.exchange(with: &odd, isFirstOdd)
        (first, second) = ((even.p, even.q), (odd.p, odd.q))
    }
}

/// One of the two numbers, as far as it is known.
private struct Side {
    /// Its lowest bits, as many as there are halvings left, and two more.
    var low: UInt64
    /// Its highest bits; below 2^63, and not negative.
    var high: Int64
    /// How often p and q are taken. One of them is taken away: on one side that is p, on the other q. A difference of
    /// the sides therefore has the sums of their factors.
    var p, q: UInt64

    @inline(__always)
    mutating func halve(_ count: UInt64) {
        low = low &>> count
        high = high &>> Int64(truncatingIfNeeded: count)
    }

    /// Both sides are to be divided by the same power of two in the end, so what halves one doubles the other.
    @inline(__always)
    mutating func double(_ count: UInt64) {
        p = p &<< count
        q = q &<< count
    }

    /// Becomes the difference of the two; the other one becomes the smaller of them.
    ///
    /// - Returns: All ones when the other one was larger, else zero.
    @inline(__always)
    mutating func subtract(_ other: inout Side) -> UInt64 {
        let (lowDifference, highDifference) = (low &- other.low, high &- other.high)
        let signedMask = highDifference &>> 63
        let mask = UInt64(bitPattern: signedMask)
        let (pChange, qChange) = ((p ^ other.p) & mask, (q ^ other.q) & mask)
        p = p &+ other.p
        q = q &+ other.q
        other.p ^= pChange
        other.q ^= qChange
        other.low = other.low &+ (lowDifference & mask)
        other.high = other.high &+ (highDifference & signedMask)
        low = (lowDifference ^ mask) &- mask
        high = (highDifference ^ signedMask) &- signedMask
        return mask
    }

    /// Trades places where the mask is all ones.
    @inline(__always)
    mutating func exchange(with other: inout Side, _ mask: UInt64) {
        let lowChange = (low ^ other.low) & mask
        let highChange = (high ^ other.high) & Int64(bitPattern: mask)
        let (pChange, qChange) = ((p ^ other.p) & mask, (q ^ other.q) & mask)
        self = Side(low: low ^ lowChange, high: high ^ highChange, p: p ^ pChange, q: q ^ qChange)
        other = Side(
            low: other.low ^ lowChange,
            high: other.high ^ highChange,
            p: other.p ^ pChange,
            q: other.q ^ qChange
        )
    }
}
