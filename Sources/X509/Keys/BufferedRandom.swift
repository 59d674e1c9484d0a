/// Random words fit for keys and identifiers, drawn from libcrypto in portions: for who needs many small ones, each of which
/// would be a call of the system. Not for several threads.
package final class BufferedRandom: RandomNumberGenerator {
    private static let portion = 1_024

    private var bytes: [UInt8] = []

    package init() {}

    /// Eight random bytes, which are given to nobody else.
    package func next() -> UInt64 {
        if bytes.count < 8 {
            var system = SystemRandomNumberGenerator()
            guard let portion = try? SecureRandom.bytes(Self.portion) else { return system.next() }
            bytes = portion
        }
        let word = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        bytes.removeLast(8)
        return word
    }
}
