/// Arithmetic modulo the order of P-256, as far as verifying a signature needs it faster than libcrypto's general numbers
/// give it. Only for public numbers: the time taken depends on them.
enum P256Order {
    /// FIPS 186-5 and SP 800-186 section 3.2.1.3: n, least significant word first.
    static let order = Words256(0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, .max, 0xffff_ffff_0000_0000)

    /// The inverse of a number modulo the order, by the binary Euclidean algorithm: of two numbers the larger one is
    /// replaced by their difference, divided by two until it is odd. It runs in batches of 62 divisions, each decided
    /// on single words and then done to the whole numbers at once, as Lehmer does it with Euclid's own algorithm
    /// (Knuth, The Art of Computer Programming, volume 2, section 4.5.2, algorithms B and L).
    ///
    /// Six or seven batches are usual. It ends for every number: a batch either takes some 61 bits off the product of
    /// the two, or, when one of them is so small that the words cannot tell any more which is larger, some 56 off the
    /// larger one, which never grows. So there are at most 25.
    ///
    /// - Parameter number: 32 bytes, most significant first, above zero and below the order.
    /// - Returns: 32 bytes, most significant first; nil when `number` is not such a number.
    static func inverse(of number: UnsafeRawBufferPointer) -> [UInt8]? {
        guard number.count == 32 else { return nil }
        var (p, q) = unsafe (Words256(number), order)
        guard !p.isZero, p.isLess(than: order) else { return nil }
        // p = x * number and q = -y * number, modulo the order. The signs are such that a difference of p and q goes
        // with a sum of x and y.
        var (x, y) = (P256Residue.one, P256Residue.zero)
        var isFirstOdd: UInt64 = 0
        while true {
            let batch = EuclideanBatch(p, q, &isFirstOdd)
            let first = Words256.difference(batch.first.p, p, batch.first.q, q)
            let second = Words256.difference(batch.second.q, q, batch.second.p, p)
            (p, q) = (first.magnitude, second.magnitude)
            (x, y) = (
                P256Residue.sum(batch.first.p, x, batch.first.q, y),
                P256Residue.sum(batch.second.p, x, batch.second.q, y)
            )
            // Rare: once in some fifty thousand numbers.
            if first.isNegative { x = x.negated }
            if second.isNegative { y = y.negated }
            // The other one is their greatest common divisor, which is 1, since the order is prime.
            if p.isZero { return y.negated.reduced.bytes }
            if q.isZero { return x.reduced.bytes }
        }
    }
}
