import Synchronization

/// The patterns of a cache, each kept once. A pattern gets a place here when it has come twice: an answer that is like no
/// other is kept as it is.
final class PatternTable: Sendable {
    private struct State {
        var patterns: [[UInt8]: AnswerPattern] = [:]
        /// Hashes of patterns that came once, each in one place that another one may take.
        var once: [Int] = Array(repeating: 0, count: 1 << 12)
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
        state.withLock { state in
            if let known = state.patterns[bytes] { return known }
            guard state.patterns.count < Self.maximumCount, state.bytes + bytes.count <= Self.maximumBytes else {
                return nil
            }
            let hash = bytes.hashValue
            let place = hash & (state.once.count - 1)
            guard state.once[place] == hash else {
                state.once[place] = hash
                return nil
            }
            let pattern = AnswerPattern(id: state.patterns.count, bytes: bytes)
            state.patterns[bytes] = pattern
            // Text, pieces, and the key of the table.
            state.bytes += bytes.count * 2 + pattern.pieces.count * 32
            return pattern
        }
    }
}
