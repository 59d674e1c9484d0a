import Synchronization

/// The patterns of a cache, each kept once. A pattern gets a place here when it has come twice: an answer that is like no
/// other is kept as it is.
final class PatternTable: Sendable {
    private struct State {
        /// By hash; those that have the same one stand behind each other.
        var patterns: [UInt64: [AnswerPattern]] = [:]
        var count = 0
        /// Hashes of patterns that came once, each in one place that another one may take.
        var once: [UInt64] = Array(repeating: 0, count: 1 << 12)
        var bytes = 0
    }

    /// More than products, states and offers of a catalog can bring about, and a bound all the same.
    static let maximumCount = 4_096
    private static let maximumBytes = 8 * 1_024 * 1_024

    private let state = Mutex(State())

    /// The bytes of all patterns.
    var bytes: Int { state.withLock { $0.bytes } }

    /// The pattern with these bytes; nil when it has come for the first time, or there is no more room.
    func pattern(_ bytes: [UInt8]) -> AnswerPattern? {
        let hash = Self.hash(bytes)
        // Compared outside the lock: this is what happens nearly always.
        let known = state.withLock { $0.patterns[hash] }
        if let pattern = known?.first(where: { $0.bytes == bytes }) { return pattern }
        return state.withLock { state in
            if let pattern = state.patterns[hash]?.first(where: { $0.bytes == bytes }) { return pattern }
            guard state.count < Self.maximumCount, state.bytes + bytes.count <= Self.maximumBytes else { return nil }
            let place = Int(truncatingIfNeeded: hash) & (state.once.count - 1)
            guard state.once[place] == hash else {
                state.once[place] = hash
                return nil
            }
            let pattern = AnswerPattern(id: state.count, bytes: bytes)
            state.patterns[hash, default: []].append(pattern)
            state.count += 1
            state.bytes += bytes.count + pattern.pieces.count * 32
            return pattern
        }
    }

    /// FNV-1a in four lanes, which a processor works on at the same time. Patterns come from catalogs and statements of the
    /// App Store, not from strangers; those that meet cost a comparison.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        let prime: UInt64 = 0x100_0000_01B3
        var lanes: (UInt64, UInt64, UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 1, 2, 3)
        let whole = bytes.count & ~3
        var index = 0
        while index < whole {
            lanes.0 = (lanes.0 ^ UInt64(bytes[index])) &* prime
            lanes.1 = (lanes.1 ^ UInt64(bytes[index + 1])) &* prime
            lanes.2 = (lanes.2 ^ UInt64(bytes[index + 2])) &* prime
            lanes.3 = (lanes.3 ^ UInt64(bytes[index + 3])) &* prime
            index += 4
        }
        for byte in bytes[whole...] { lanes.0 = (lanes.0 ^ UInt64(byte)) &* prime }
        var hash = lanes.0
        for lane in [lanes.1, lanes.2, lanes.3] { hash = (hash ^ lane ^ lane >> 32) &* prime }
        return hash ^ hash >> 29
    }
}
