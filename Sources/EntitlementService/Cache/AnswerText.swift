import EntitlementDomain
import X509

/// Reads and writes the values of answers as text, without strings in between.
enum AnswerText {
    // MARK: Reading

    /// The milliseconds of `2026-04-01T00:00:00.000Z`; nil for any other form, other spellings of an instant among them, which
    /// must come back as they are.
    static func milliseconds(_ json: [UInt8], _ range: Range<Int>) -> Int64? {
        let start = range.lowerBound
        guard range.count == 24, json[start + 4] == UInt8(ascii: "-"), json[start + 7] == UInt8(ascii: "-"),
            json[start + 10] == UInt8(ascii: "T"), json[start + 13] == UInt8(ascii: ":"),
            json[start + 16] == UInt8(ascii: ":"), json[start + 19] == UInt8(ascii: "."),
            json[start + 23] == UInt8(ascii: "Z"),
            let century = number(json, start, 2), let year = number(json, start + 2, 2),
            let month = number(json, start + 5, 2), let day = number(json, start + 8, 2),
            let hour = number(json, start + 11, 2), let minute = number(json, start + 14, 2),
            let second = number(json, start + 17, 2), let thousandths = number(json, start + 20, 3),
            (1...12).contains(month), hour < 24, minute < 60, second < 60
        else { return nil }
        let fullYear = century * 100 + year
        guard fullYear > 0, day > 0, day <= CivilDate.days(inMonth: month, ofYear: fullYear) else { return nil }
        let date = CivilDate(year: fullYear, month: month, day: day)
        let seconds = date.daysSince1970 * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        return seconds * 1_000 + Int64(thousandths)
    }

    /// So many digits.
    @inline(__always)
    private static func number(_ json: [UInt8], _ start: Int, _ count: Int) -> Int? {
        var value = 0
        for index in start..<start + count {
            let digit = json[index] &- 48
            if digit > 9 { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// The value of 1 to 18 digits without a leading zero; nil for anything else.
    static func digits(_ json: [UInt8], _ range: Range<Int>) -> UInt64? {
        guard (1...18).contains(range.count) else { return nil }
        if json[range.lowerBound] == UInt8(ascii: "0"), range.count > 1 { return nil }
        var value: UInt64 = 0
        for index in range {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = json[index] else { return nil }
            value = value * 10 + UInt64(json[index] - UInt8(ascii: "0"))
        }
        return value
    }

    /// A UUID of 36 characters in lower case; nil for anything else.
    static func uuid(_ json: [UInt8], _ range: Range<Int>) -> AccountID? {
        // Capitals would not come back when it is written again.
        for index in range where (65...70).contains(json[index]) { return nil }
        return AccountID(utf8: json.span.extracting(range))
    }

    // MARK: Writing

    /// `2026-04-01T00:00:00.000Z`.
    static func append(time milliseconds: Int64, to bytes: inout [UInt8]) {
        var days = milliseconds / 86_400_000
        var rest = milliseconds % 86_400_000
        if rest < 0 {
            rest += 86_400_000
            days -= 1
        }
        let date = CivilDate(daysSince1970: days)
        let year = UInt32(date.year)
        let seconds = UInt32(rest / 1_000)
        let thousandths = UInt32(rest % 1_000)
        // Written in one piece: an array looks for room at every byte.
        var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "-"))
        set(year / 100, at: 0, of: &text)
        set(year % 100, at: 2, of: &text)
        set(UInt32(date.month), at: 5, of: &text)
        set(UInt32(date.day), at: 8, of: &text)
        text[10] = UInt8(ascii: "T")
        set(seconds / 3_600, at: 11, of: &text)
        text[13] = UInt8(ascii: ":")
        set(seconds / 60 % 60, at: 14, of: &text)
        text[16] = UInt8(ascii: ":")
        set(seconds % 60, at: 17, of: &text)
        text[19] = UInt8(ascii: ".")
        text[20] = UInt8(truncatingIfNeeded: 48 + thousandths / 100)
        set(thousandths % 100, at: 21, of: &text)
        text[23] = UInt8(ascii: "Z")
        bytes.append(copying: text.span)
    }

    /// Two digits.
    @inline(__always)
    private static func set(_ value: UInt32, at place: Int, of text: inout InlineArray<24, UInt8>) {
        text[place] = UInt8(truncatingIfNeeded: 48 + value / 10)
        text[place + 1] = UInt8(truncatingIfNeeded: 48 + value % 10)
    }

    /// A number without leading zeros.
    static func append(digits value: UInt64, to bytes: inout [UInt8]) {
        var text = InlineArray<20, UInt8>(repeating: 0)
        var start = text.count
        var rest = value
        repeat {
            start -= 1
            text[start] = UInt8(truncatingIfNeeded: 48 + rest % 10)
            rest /= 10
        } while rest > 0
        bytes.append(copying: text.span.extracting(start...))
    }

    /// A UUID of 36 characters in lower case.
    static func append(uuid high: UInt64, _ low: UInt64, to bytes: inout [UInt8]) {
        var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
        set(high >> 32, 8, at: 0, of: &text)
        set(high >> 16, 4, at: 9, of: &text)
        set(high, 4, at: 14, of: &text)
        set(low >> 48, 4, at: 19, of: &text)
        set(low, 12, at: 24, of: &text)
        bytes.append(copying: text.span)
    }

    /// The last so many hexadecimal digits of a value.
    @inline(__always)
    private static func set(_ value: UInt64, _ count: Int, at place: Int, of text: inout InlineArray<36, UInt8>) {
        for index in 0..<count {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * (count - 1 - index))) & 15
            text[place + index] = digit < 10 ? 48 + digit : 87 + digit
        }
    }
}
