/// Reading of number tokens that are known to follow the grammar of RFC 8259 section 6.
enum JSONNumberText {
    /// The parts of a token: sign, place of the digits and exponent.
    struct Parts {
        var isNegative = false
        /// The digits before and after the decimal point, without the point.
        var digits: [UInt8] = []
        /// How many of the digits stand after the point.
        var fractionCount = 0
        /// The power of ten; held at ±1,000,000,000 when the text says more.
        var exponent = 0
    }

    static let exponentBound = 1_000_000_000

    /// The exact integer value; nil when it has a fraction or does not fit.
    static func int64(_ bytes: Span<UInt8>) -> Int64? {
        let isNegative = bytes[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        // Nineteen digits can overflow; up to eighteen cannot, and nearly every number of a payload has fewer.
        if bytes.count - index <= 18 {
            var value: Int64 = 0
            while index < bytes.count {
                let digit = bytes[index] &- 0x30
                if digit > 9 { return exactInteger(parts(bytes)) }
                value = value &* 10 &+ Int64(digit)
                index += 1
            }
            return isNegative ? -value : value
        }
        return exactInteger(parts(bytes))
    }

    private static func exactInteger(_ parts: Parts) -> Int64? {
        let integralCount = parts.digits.count - parts.fractionCount + parts.exponent
        var value: Int64 = 0
        for (index, digit) in parts.digits.enumerated() {
            if index >= integralCount {
                if digit != 0 { return nil }
                continue
            }
            guard let next = appending(digit, to: value, isNegative: parts.isNegative) else { return nil }
            value = next
        }
        if value == 0 { return 0 }
        var missing = integralCount - parts.digits.count
        while missing > 0 {
            guard let next = appending(0, to: value, isNegative: parts.isNegative) else { return nil }
            value = next
            missing -= 1
        }
        return value
    }

    private static func appending(_ digit: UInt8, to value: Int64, isNegative: Bool) -> Int64? {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        if overflow { return nil }
        let (sum, carry) =
            isNegative
            ? product.subtractingReportingOverflow(Int64(digit))
            : product.addingReportingOverflow(Int64(digit))
        return carry ? nil : sum
    }

    /// Takes a token apart.
    static func parts(_ bytes: Span<UInt8>) -> Parts {
        var parts = Parts()
        parts.digits.reserveCapacity(bytes.count)
        var index = 0
        if bytes[0] == UInt8(ascii: "-") {
            parts.isNegative = true
            index = 1
        }
        var isFraction = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte | 0x20 == UInt8(ascii: "e") {
                break
            } else {
                parts.digits.append(byte - 0x30)
                if isFraction { parts.fractionCount += 1 }
            }
        }
        var isExponentNegative = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "-") {
                isExponentNegative = true
            } else if byte != UInt8(ascii: "+") {
                parts.exponent = min(parts.exponent * 10 + Int(byte - 0x30), exponentBound)
            }
        }
        if isExponentNegative { parts.exponent = -parts.exponent }
        return parts
    }
}
