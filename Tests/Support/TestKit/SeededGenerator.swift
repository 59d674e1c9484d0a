#if canImport(Glibc)
    import Glibc
#endif

/// A deterministic random generator (SplitMix64): the same seed gives the same test.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed it started from, to be printed with every failure.
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The seed of this run: `ENTITLED_SEED` when it is set, else a new one. It is printed.
    package static func seedOfThisRun(_ name: String) -> UInt64 {
        let given = unsafe getenv("ENTITLED_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
        let seed = given ?? UInt64.random(in: 1...UInt64(UInt32.max))
        print("\(name): ENTITLED_SEED=\(seed)")
        return seed
    }
}
