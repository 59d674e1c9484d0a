/// Makes inputs out of inputs: cuts, doubles, swaps and splices pieces, flips bits, puts in what parsers trip over.
package struct FuzzMutator<Generator: RandomNumberGenerator> {
    package var random: Generator
    private let seeds: [[UInt8]]
    private let maximumBytes: Int

    /// Texts and numbers at the edges of what is expected somewhere.
    private static var tokens: [[UInt8]] {
        [
            "\"", "\\", "\\u0000", "\\ud800", "\u{FEFF}", "{", "}", "[", "]", "[[[[[[[[", ":", ",", "null", "true", "-",
            "0",
            "-1", "1e999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "253402300800000",
            "18446744073709551616", "0.1", "\r\n", "\r\n\r\n", "\n", " ", "\t", ".", "..", "=", "==", "%00", "%", "/",
            "?",
            "&", "Content-Length: 99999999999999999999\r\n", "Transfer-Encoding: chunked\r\n", "FFFFFFFFFFFFFFFF\r\n",
            "P1M", "PT0S", "2026-02-30T25:61:61Z", "11111111-1111-4111-8111-111111111111", "1:2", "Sandbox", "Xcode",
        ].map { Array($0.utf8) } + [
            [0], [0xFF], [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x00, 0x00], [0x24, 0x80], [0x02, 0x09], [0x31, 0x00], [0x04, 0x82, 0xFF, 0xFF], [0xA0, 0x80],
        ]
    }

    package init(seeds: [[UInt8]], random: Generator, maximumBytes: Int = 64 * 1024) {
        self.seeds = seeds.isEmpty ? [[]] : seeds
        self.random = random
        self.maximumBytes = maximumBytes
    }

    /// The next input: a seed, changed in one to eight places.
    package mutating func next() -> [UInt8] {
        var bytes = seeds.randomElement(using: &random) ?? []
        for _ in 0..<(1 << Int.random(in: 0...3, using: &random)) { change(&bytes) }
        return bytes.count > maximumBytes ? Array(bytes.prefix(maximumBytes)) : bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let range = piece(of: bytes)
        switch Int.random(in: 0...10, using: &random) {
        case 0: bytes.removeSubrange(range)
        case 1: bytes = Array(bytes[..<range.lowerBound])
        case 2: bytes.insert(contentsOf: bytes[range], at: range.upperBound)
        case 3:
            let piece = Array(bytes[range])
            for _ in 0..<Int.random(in: 2...40, using: &random) where bytes.count < maximumBytes {
                bytes.insert(contentsOf: piece, at: range.upperBound)
            }
        case 4:
            let other = seeds.randomElement(using: &random) ?? []
            bytes.replaceSubrange(range, with: other[piece(of: other)])
        case 5, 6:
            let token = Self.tokens.randomElement(using: &random) ?? []
            bytes.replaceSubrange(
                Bool.random(using: &random) ? range : range.lowerBound..<range.lowerBound,
                with: token
            )
        case 7:
            // A number in the text becomes another.
            let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
            guard let place = digits.randomElement(using: &random) else { return }
            bytes[place] = UInt8.random(in: 0x30...0x39, using: &random)
        case 8: bytes = Array(bytes[range])
        default:
            guard let place = bytes.indices.randomElement(using: &random) else { return }
            bytes[place] =
                Bool.random(using: &random)
                ? bytes[place] ^ (1 << UInt8.random(in: 0...7, using: &random))
                : UInt8.random(in: 0...255, using: &random)
        }
    }

    /// Mostly a short piece, sometimes a long one.
    private mutating func piece(of bytes: [UInt8]) -> Range<Int> {
        guard !bytes.isEmpty else { return 0..<0 }
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let longest = Bool.random(using: &random) ? 16 : bytes.count
        return start..<min(bytes.count, start + Int.random(in: 0...longest, using: &random))
    }
}
