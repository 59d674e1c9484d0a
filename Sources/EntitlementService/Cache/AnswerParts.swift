import EntitlementDomain
import JSON

/// An answer taken apart into its pattern and its values. Nothing is lost: put together again, they are the same bytes.
struct AnswerParts {
    /// See `AnswerPattern`.
    private(set) var pattern: [UInt8] = []
    private(set) var values: [UInt64] = []
    /// Where the position stands in the answer, without its quotes.
    private(set) var position = 0..<0
    /// Where the instant stands in the answer, without its quotes.
    private(set) var instant = 0..<0
    /// The values by kind, so that one that comes again is kept once.
    private var known: [(mark: AnswerPattern.Mark, index: Int)] = []

    private static let names = JSONKeyTable(["position", "account", "at"])
    /// The number of a value is one byte.
    private static let maximumValues = 254

    /// Takes the result of `entitlements.get` for an account apart; nil when it is not one, or has too many values.
    init?(_ json: [UInt8], account: AccountID) {
        guard var scanner = try? JSONScanner(json) else { return nil }
        var accountText: Range<Int>?
        var ranges: [Range<Int>] = [0..<0, 0..<0]
        while let member = try? scanner.next() {
            guard let index = Self.names.index(of: member.key, in: scanner) else { continue }
            guard member.value.kind == .string, !member.value.hasEscapes else { return nil }
            let text = member.value.range.lowerBound + 1..<member.value.range.upperBound - 1
            switch index {
            case 0: ranges[0] = text
            case 1: accountText = text
            default: ranges[1] = text
            }
        }
        (position, instant) = (ranges[0], ranges[1])
        guard !position.isEmpty, !instant.isEmpty, let accountText,
            json[accountText].elementsEqual(account.description.utf8)
        else { return nil }
        pattern.reserveCapacity(json.count)
        var index = 0
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "\""): index = string(json, from: index, account: accountText)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): index = number(json, from: index)
            default:
                pattern.append(json[index])
                index += 1
            }
            if values.count > Self.maximumValues { return nil }
        }
    }

    /// Takes a string.
    ///
    /// - Returns: where it ends.
    private mutating func string(_ json: [UInt8], from start: Int, account: Range<Int>) -> Int {
        var end = start + 1
        while json[end] != UInt8(ascii: "\"") { end += json[end] == UInt8(ascii: "\\") ? 2 : 1 }
        let text = start + 1..<end
        pattern.append(UInt8(ascii: "\""))
        if text == position {
            pattern.append(AnswerPattern.Mark.position.rawValue)
        } else if text == instant {
            pattern.append(AnswerPattern.Mark.instant.rawValue)
        } else if text == account {
            pattern.append(AnswerPattern.Mark.account.rawValue)
        } else if let milliseconds = AnswerText.milliseconds(json, text) {
            add(.time, [UInt64(bitPattern: milliseconds)])
        } else if let digits = AnswerText.digits(json, text) {
            add(.digits, [digits])
        } else if let id = AnswerText.uuid(json, text) {
            add(.uuid, [id.high, id.low])
        } else {
            pattern.append(contentsOf: json[text])
        }
        pattern.append(UInt8(ascii: "\""))
        return end + 1
    }

    private mutating func number(_ json: [UInt8], from start: Int) -> Int {
        var end = start
        while end < json.count, Self.isPartOfNumber(json[end]) { end += 1 }
        if let digits = AnswerText.digits(json, start..<end) {
            add(.digits, [digits])
        } else {
            pattern.append(contentsOf: json[start..<end])
        }
        return end
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func add(_ mark: AnswerPattern.Mark, _ words: [UInt64]) {
        pattern.append(mark.rawValue)
        let same = known.first { $0.mark == mark && values[$0.index..<$0.index + words.count].elementsEqual(words) }
        if let same {
            pattern.append(UInt8(same.index))
            return
        }
        pattern.append(UInt8(truncatingIfNeeded: values.count))
        known.append((mark, values.count))
        values += words
    }
}
