/// A place in a text for people: line and column, both 1 at the start.
package struct SourcePosition: Sendable, Hashable {
    /// The place in bytes from the start, 0 for the first.
    package let offset: Int
    /// The line, 1 for the first; lines end with a line feed.
    package let line: Int
    /// The column in characters (Unicode scalars), 1 for the first.
    package let column: Int

    /// Counts line and column of a byte offset.
    init(offset: Int, in bytes: Span<UInt8>) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, bytes.count) {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.offset = offset
        self.line = line
        self.column = column
    }
}

extension SourcePosition: CustomStringConvertible {
    package var description: String { "line \(line), column \(column)" }
}
