/// Reads fixed-width digits and separators from a short ASCII text; the base of date and duration parsing.
struct DigitScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    /// Exactly `count` digits.
    mutating func digits(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + count] {
            guard byte >= 48, byte <= 57 else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        index += count
        return value
    }

    /// One or more digits, at most nine.
    mutating func number() -> Int? {
        var value = 0
        let start = index
        while index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 {
            guard index - start < 9 else { return nil }
            value = value * 10 + Int(bytes[index] - 48)
            index += 1
        }
        return index > start ? value : nil
    }

    /// One or more digits after a decimal point, as thousandths; further digits are cut.
    mutating func decimals() -> Int64? {
        var value: Int64 = 0
        var scale: Int64 = 100
        let start = index
        while index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 {
            value += Int64(bytes[index] - 48) * scale
            scale /= 10
            index += 1
        }
        return index > start ? value : nil
    }

    /// The next character, when it is this one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }

    /// `Z`, `+hh:mm`, `-hhmm` or `+hh`, in minutes east of UTC.
    mutating func offsetMinutes() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = digits(2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 60 }
        _ = skip(":")
        guard let minutes = digits(2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
