extension UInt128 {
    /// The whole product of two words.
    @inline(__always)
    init(product left: UInt64, _ right: UInt64) {
        self = UInt128(truncatingIfNeeded: left) &* UInt128(truncatingIfNeeded: right)
    }
}
