import JSON

/// The exact value of a JSON number, however it is spelled: 1, 1.0 and 1e0 are one value.
struct DecimalValue: Hashable {
    private var isNegative = false
    /// The significant digits, as ASCII, without zeros at either end; empty for zero.
    private var digits: [UInt8] = []
    /// The power of ten of the last digit.
    private var exponent = 0

    init(_ number: JSONNumber) {
        let parts = number.text.lowercased().split(separator: "e")
        exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        var isFraction = false
        for byte in parts[0].utf8 {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            default:
                digits.append(byte)
                if isFraction { exponent -= 1 }
            }
        }
        let zero = UInt8(ascii: "0")
        while digits.last == zero {
            digits.removeLast()
            exponent += 1
        }
        digits.removeFirst(digits.prefix { $0 == zero }.count)
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }
}
