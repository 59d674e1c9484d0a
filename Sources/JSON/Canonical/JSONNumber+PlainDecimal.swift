extension JSONNumber {
    /// The longest token and the longest plain decimal that are still rewritten, in characters, and the largest
    /// exponent.
    static let plainDecimalLimit = 1000

    /// The number without an exponent, as PostgreSQL's numeric prints it; nil when one of the limits is passed.
    ///
    /// The count of digits after the point is that of the text minus the exponent, and never below zero (PostgreSQL
    /// manual, section 8.1.2: the scale of the input is kept).
    func plainDecimal() -> [UInt8]? {
        let span = text.utf8Span.span
        guard span.count <= JSONNumber.plainDecimalLimit else { return nil }
        if isPlain(span) { return Array(text.utf8) }
        let parts = JSONNumberText.parts(span)
        guard abs(parts.exponent) <= JSONNumber.plainDecimalLimit else { return nil }

        let scale = parts.fractionCount - parts.exponent
        var digits = parts.digits
        if scale < 0 { digits.append(contentsOf: repeatElement(0, count: -scale)) }
        let fractionCount = max(scale, 0)
        if digits.count <= fractionCount {
            digits.insert(contentsOf: repeatElement(0, count: fractionCount - digits.count + 1), at: 0)
        }
        let integralCount = digits.count - fractionCount
        let leadingZeros = digits.prefix(integralCount - 1).prefix { $0 == 0 }.count

        var plain: [UInt8] = []
        if parts.isNegative && digits.contains(where: { $0 != 0 }) { plain.append(UInt8(ascii: "-")) }
        for index in leadingZeros..<digits.count {
            if index == integralCount { plain.append(UInt8(ascii: ".")) }
            plain.append(digits[index] + UInt8(ascii: "0"))
        }
        return plain.count <= JSONNumber.plainDecimalLimit ? plain : nil
    }

    /// Whether the token is its own plain form; a minus sign or an exponent asks for a closer look.
    private func isPlain(_ span: Span<UInt8>) -> Bool {
        for index in 0..<span.count {
            let byte = span[index]
            if byte &- 0x30 > 9 && byte != UInt8(ascii: ".") { return false }
        }
        return true
    }
}
