/// Where text stops being plain: ASCII without control characters, quote and backslash, which stands for itself in a JSON
/// string.
extension Span<UInt8> {
    /// So many bytes are looked at as a whole.
    private static var block: Int { 32 }

    /// The offset of the first byte at or after `start` that is not plain; `count` when all are.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        // Signed texts are thousands of plain bytes in one string.
        while count &- index >= Self.block, Self.isPlain(extracting(index..<index &+ Self.block)) {
            index &+= Self.block
        }
        while index < count, Self.marks(self[index]) == 0 { index &+= 1 }
        return index
    }

    /// - Parameter block: `Self.block` bytes.
    @inline(__always)
    private static func isPlain(_ block: Span<UInt8>) -> Bool {
        var marks: UInt8 = 0
        // No way out before the end: the compiler has the bytes looked at side by side then.
        for index in 0..<Self.block { marks |= Self.marks(block[index]) }
        return marks == 0
    }

    /// Zero for a plain byte. In one expression without a branch, which is what can be done side by side.
    @inline(__always)
    private static func marks(_ byte: UInt8) -> UInt8 {
        (byte == UInt8(ascii: "\"") ? 0xFF : 0) | (byte == UInt8(ascii: "\\") ? 0xFF : 0)
            | (byte &- 0x20 < 0x60 ? 0 : 0xFF)
    }
}
