import Synchronization

/// Swift source without its comments and without the text of its string literals: what is left is code, line by line.
/// Interpolations are code too.
struct SwiftCode {
    private static let known = Mutex<[String: SwiftCode]>([:])

    /// One entry for each line of the source.
    private(set) var lines: [String] = []

    private let source: [UInt8]
    private var index = 0
    private var code: [UInt8] = []

    /// The code of a file of the repository; each file is read once.
    static func file(_ path: String) throws -> SwiftCode {
        if let code = known.withLock({ $0[path] }) { return code }
        let code = SwiftCode(try Repository.text(path))
        known.withLock { $0[path] = code }
        return code
    }

    init(_ text: String) {
        source = Array(text.utf8)
        code.reserveCapacity(source.count)
        readCode(isInterpolation: false)
        lines = code.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a word occurs in a line of code, not as a part of a longer one.
    static func line(_ line: String, hasWord word: String) -> Bool {
        line.contains(word)
            && line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == word }
    }

    private func byte(at index: Int) -> UInt8 {
        index < source.count ? source[index] : 0
    }

    private func starts(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        byte(at: index) == UInt8(ascii: first) && byte(at: index + 1) == UInt8(ascii: second)
    }

    /// Reads to the end, or to the parenthesis that closes an interpolation.
    private mutating func readCode(isInterpolation: Bool) {
        var depth = 0
        while index < source.count {
            let byte = source[index]
            if starts("/", "/") {
                while index < source.count, source[index] != UInt8(ascii: "\n") { index += 1 }
            } else if starts("/", "*") {
                skipBlockComment()
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"), let pounds = poundsOfLiteral() {
                readLiteral(pounds: pounds)
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") {
                    if depth == 0, isInterpolation { return }
                    depth -= 1
                }
                code.append(byte)
                index += 1
            }
        }
    }

    /// Block comments nest.
    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if starts("/", "*") {
                depth += 1
                index += 2
            } else if starts("*", "/") {
                depth -= 1
                index += 2
            } else {
                keepLineBreak()
                index += 1
            }
        } while depth > 0 && index < source.count
    }

    private mutating func keepLineBreak() {
        if source[index] == UInt8(ascii: "\n") { code.append(source[index]) }
    }

    /// The number of pound signs before the quotation mark here; nil when no literal begins here.
    private func poundsOfLiteral() -> Int? {
        var pounds = 0
        while byte(at: index + pounds) == UInt8(ascii: "#") { pounds += 1 }
        return byte(at: index + pounds) == UInt8(ascii: "\"") ? pounds : nil
    }

    private mutating func readLiteral(pounds: Int) {
        let quote = UInt8(ascii: "\"")
        index += pounds
        let isMultiline = byte(at: index + 1) == quote && byte(at: index + 2) == quote
        let quotes = isMultiline ? 3 : 1
        index += quotes
        code.append(quote)
        while index < source.count, !has(quotes, quote, then: pounds) {
            if source[index] == UInt8(ascii: "\\"), has(1, UInt8(ascii: "\\"), then: pounds) {
                index += 1 + pounds
                if byte(at: index) == UInt8(ascii: "(") {
                    index += 1
                    code.append(UInt8(ascii: "("))
                    readCode(isInterpolation: true)
                    code.append(UInt8(ascii: ")"))
                }
            } else {
                keepLineBreak()
            }
            index += 1
        }
        index += quotes + pounds
        code.append(quote)
    }

    /// Whether so many of one byte stand here, and after them so many pound signs.
    private func has(_ count: Int, _ expected: UInt8, then pounds: Int) -> Bool {
        (0..<count).allSatisfy { byte(at: index + $0) == expected }
            && (0..<pounds).allSatisfy { byte(at: index + count + $0) == UInt8(ascii: "#") }
    }
}
