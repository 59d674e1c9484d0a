import JSON
import TestKit

/// Random JSON trees from a seed; `ENTITLED_SEED` repeats a run.
struct RandomTrees {
    var generator: SeededGenerator

    init(_ name: String = #function) {
        generator = SeededGenerator(seed: SeededGenerator.seedOfThisRun(name))
    }

    var seed: UInt64 { generator.seed }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2: .number(JSONNumber(number())!)
        case 3: .number(JSONNumber(Int64.random(in: Int64.min...Int64.max, using: &generator)))
        case 4, 5: .string(text())
        case 6: .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1) })
        default: .object(object(depth: depth - 1))
        }
    }

    mutating func object(depth: Int) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            object.append(text(), value(depth: depth))
        }
        return object
    }

    /// Short, so that duplicate names occur; with everything that needs care.
    mutating func text() -> String {
        let pieces = [
            "a", "b", "key", "\"", "\\", "/", "\u{0}", "\u{1}", "\u{1F}", "\n", "\u{7F}", "é", "e\u{301}", "€", "😀",
            "\u{FFFD}", "\u{FFFF}", " ", "transactionId",
        ]
        return (0..<Int.random(in: 0...3, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
            .joined()
    }

    mutating func number() -> String {
        func digits(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &generator)).map { _ in
                String(Int.random(in: 0...9, using: &generator))
            }.joined()
        }
        var text = Bool.random(using: &generator) ? "-" : ""
        text += Bool.random(using: &generator) ? "0" : String(Int.random(in: 1...9, using: &generator)) + digits(0...12)
        if Bool.random(using: &generator) { text += "." + digits(1...6) }
        if Bool.random(using: &generator) {
            text += ["e", "E", "e-", "e+"].randomElement(using: &generator)! + digits(1...2)
        }
        return text
    }
}
