import EntitlementDomain
import TestKit

/// Short ways to draw from a seeded generator.
extension SeededGenerator {
    /// True in `wins` of `total` cases.
    mutating func chance(_ wins: Int, in total: Int) -> Bool {
        Int.random(in: 0..<total, using: &self) < wins
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// An instant of `start ..< end`, or `start` when there is none.
    mutating func instant(from start: Instant, to end: Instant) -> Instant {
        guard start < end else { return start }
        return Instant(milliseconds: Int64.random(in: start.milliseconds..<end.milliseconds, using: &self))
    }

    /// One of the elements, each as likely as its weight.
    mutating func pick<Element>(weighted choices: [(weight: Int, element: Element)]) -> Element {
        var ticket = Int.random(in: 0..<choices.reduce(0) { $0 + $1.weight }, using: &self)
        for choice in choices {
            if ticket < choice.weight { return choice.element }
            ticket -= choice.weight
        }
        return choices[choices.count - 1].element
    }
}

/// Spans of time in milliseconds.
enum Span {
    static let minute: Int64 = 60_000
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 86_400_000
}
