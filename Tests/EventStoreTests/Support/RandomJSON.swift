import JSON
import TestKit

/// Random JSON trees with everything in them that has more than one spelling.
struct RandomJSON {
    var generator: SeededGenerator

    mutating func object(depth: Int) -> JSONObject {
        var object = JSONObject()
        // Short names, so that the same one occurs twice.
        for _ in 0..<Int.random(in: 0...6, using: &generator) { object.append(text(), value(depth: depth - 1)) }
        return object
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2, 3: .number(number())
        case 4, 5: .string(text())
        case 6: .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1) })
        default: .object(object(depth: depth))
        }
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "b", "key", "\"", "\\", "/", "\u{0}", "\u{1}", "\u{8}", "\u{C}", "\u{1F}", "\n", "\r", "\t", "\u{7F}",
            "é",
            "e\u{301}", "€", "😀", "\u{FFFD}", "\u{FFFF}", "\u{E000}", "\u{2028}", " ", "transactionId",
        ]
        return (0..<Int.random(in: 0...3, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
            .joined()
    }

    private mutating func number() -> JSONNumber {
        var text = Bool.random(using: &generator) ? "-" : ""
        text += Bool.random(using: &generator) ? "0" : String(Int.random(in: 1...9, using: &generator)) + digits(0...25)
        if Bool.random(using: &generator) { text += "." + digits(1...25) }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: text += ["e", "E", "e-", "e+"].randomElement(using: &generator)! + digits(1...2)
        // Around the limit up to which an exponent is carried out.
        case 1:
            text +=
                ["e", "e-"].randomElement(using: &generator)! + String(Int.random(in: 960...1040, using: &generator))
        default: break
        }
        return JSONNumber(text)!
    }

    private mutating func digits(_ count: ClosedRange<Int>) -> String {
        String(
            (0..<Int.random(in: count, using: &generator)).map { _ in "0123456789".randomElement(using: &generator)! }
        )
    }
}
