/// One of the two alphabets of RFC 4648 with the tables that read and write it.
///
/// Unchecked: the tables are written once, before the value can be seen, and live as long as the process.
@safe struct Base64Alphabet: @unchecked Sendable {
    /// RFC 4648 section 4.
    static let standard = Base64Alphabet(lastTwo: "+/")
    /// RFC 4648 section 5.
    static let url = Base64Alphabet(lastTwo: "-_")

    /// In place of a value, for a character outside the alphabet. The bit is above any 24-bit group.
    private static let invalid: UInt32 = 1 << 31

    private let characters: UnsafeMutablePointer<UInt8>
    /// The two characters of each value of twelve bits, the first one in the lower byte.
    private let pairs: UnsafeMutablePointer<UInt16>
    /// Four tables of 256: a character's value already shifted to its place in a group of 24 bits.
    private let values: UnsafeMutablePointer<UInt32>

    private init(lastTwo: String) {
        unsafe characters = .allocate(capacity: 64)
        unsafe pairs = .allocate(capacity: 4096)
        unsafe values = .allocate(capacity: 4 * 256)
        unsafe values.initialize(repeating: Self.invalid, count: 4 * 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo
        for (value, character) in alphabet.utf8.enumerated() {
            unsafe (characters + value).initialize(to: character)
            for place in 0..<4 {
                unsafe values[place * 256 + Int(character)] = UInt32(value) << UInt32(18 - 6 * place)
            }
        }
        for value in 0..<4096 {
            let pair = unsafe UInt16(characters[value >> 6]) | UInt16(characters[value & 63]) << 8
            unsafe (pairs + value).initialize(to: pair.littleEndian)
        }
    }

    /// Decodes text without padding. Nil when a character is outside the alphabet, one character is left over, or
    /// the bits of the last character that belong to no byte are not zero (RFC 4648 section 3.5): so every byte
    /// sequence has exactly one text.
    func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        let (groups, rest) = text.count.quotientAndRemainder(dividingBy: 4)
        guard rest != 1 else { return nil }
        let count = groups * 3 + (rest == 0 ? 0 : rest - 1)
        var isValid = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            initialized = count
            isValid = unsafe decode(text, groups: groups, rest: rest, into: output)
        }
        return isValid ? bytes : nil
    }

    private func decode(
        _ text: UnsafeRawBufferPointer,
        groups: Int,
        rest: Int,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        guard let input = unsafe text.baseAddress?.assumingMemoryBound(to: UInt8.self), let start = output.baseAddress
        else {
            return true
        }
        var source = unsafe input
        var target = unsafe start
        var seen: UInt32 = 0
        for _ in 0..<groups {
            let bits =
                unsafe values[Int(source[0])] | values[256 + Int(source[1])]
                | values[512 + Int(source[2])] | values[768 + Int(source[3])]
            seen |= bits
            unsafe target[0] = UInt8(truncatingIfNeeded: bits >> 16)
            unsafe target[1] = UInt8(truncatingIfNeeded: bits >> 8)
            unsafe target[2] = UInt8(truncatingIfNeeded: bits)
            unsafe source += 4
            unsafe target += 3
        }
        if rest >= 2 {
            var bits = unsafe values[Int(source[0])] | values[256 + Int(source[1])]
            if rest == 3 { bits |= unsafe values[512 + Int(source[2])] }
            seen |= bits
            unsafe target[0] = UInt8(truncatingIfNeeded: bits >> 16)
            if rest == 3 { unsafe target[1] = UInt8(truncatingIfNeeded: bits >> 8) }
            let unused: UInt32 = rest == 3 ? 0xFF : 0xFFFF
            guard bits & unused == 0 else { return false }
        }
        return seen & Self.invalid == 0
    }

    /// Encodes bytes; with `padding` the text is filled up with `=` to a multiple of four characters.
    func encode(_ bytes: UnsafeRawBufferPointer, padding: Bool) -> [UInt8] {
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        let tail = rest == 0 ? 0 : (padding ? 4 : rest + 1)
        return unsafe [UInt8](unsafeUninitializedCapacity: groups * 4 + tail) { output, initialized in
            initialized = groups * 4 + tail
            guard let start = bytes.baseAddress, let target = output.baseAddress else { return }
            var source = unsafe start.assumingMemoryBound(to: UInt8.self)
            var place = UnsafeMutableRawPointer(target)
            for _ in 0..<groups {
                let bits = unsafe Int(source[0]) << 16 | Int(source[1]) << 8 | Int(source[2])
                unsafe place.storeBytes(of: pairs[bits >> 12], as: UInt16.self)
                unsafe place.storeBytes(of: pairs[bits & 4095], toByteOffset: 2, as: UInt16.self)
                unsafe source += 3
                unsafe place += 4
            }
            guard rest > 0 else { return }
            let bits = unsafe Int(source[0]) << 16 | (rest == 2 ? Int(source[1]) << 8 : 0)
            for index in 0..<tail {
                let value = bits >> (18 - 6 * index) & 63
                unsafe output[groups * 4 + index] = index <= rest ? characters[value] : UInt8(ascii: "=")
            }
        }
    }
}
