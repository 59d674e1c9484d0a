extension Instant {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// `2026-04-01T00:00:00.000Z`: always UTC, always three decimals.
    package var iso8601: String {
        let (days, rest) = Self.floorDivide(milliseconds, Self.millisecondsPerDay)
        let date = CivilDate(daysSince1970: days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        func append(_ value: Int64, digits: Int) {
            var power: Int64 = 1
            for _ in 1..<digits { power *= 10 }
            while power > 0 {
                bytes.append(UInt8(48 + value / power % 10))
                power /= 10
            }
        }
        append(Int64(date.year), digits: 4)
        bytes.append(UInt8(ascii: "-"))
        append(Int64(date.month), digits: 2)
        bytes.append(UInt8(ascii: "-"))
        append(Int64(date.day), digits: 2)
        bytes.append(UInt8(ascii: "T"))
        append(rest / 3_600_000, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        append(rest / 60_000 % 60, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        append(rest / 1_000 % 60, digits: 2)
        bytes.append(UInt8(ascii: "."))
        append(rest % 1_000, digits: 3)
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads ISO 8601 date and time with an offset (`Z`, `+02:00`, `-0530`) and optional decimals, which are
    /// cut after milliseconds, or a date alone (midnight UTC). Nil for anything else, an impossible date or one
    /// outside `distantPast ... distantFuture`.
    package init?(iso8601 text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), (1...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= CivilDate.days(inMonth: month, ofYear: year)
        else { return nil }
        var total = CivilDate(year: year, month: month, day: day).daysSince1970 * Self.millisecondsPerDay
        if !scanner.isAtEnd {
            guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
                let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2),
                hour < 24, minute < 60
            else { return nil }
            var second = 0
            var thousandths: Int64 = 0
            if scanner.skip(":") {
                guard let value = scanner.digits(2), value < 60 else { return nil }
                second = value
                if scanner.skip(".") || scanner.skip(",") {
                    guard let value = scanner.decimals() else { return nil }
                    thousandths = value
                }
            }
            guard let offset = scanner.offsetMinutes(), scanner.isAtEnd else { return nil }
            let minutes = Int64(hour) * 60 + Int64(minute) - Int64(offset)
            total += minutes * 60_000 + Int64(second) * 1_000 + thousandths
        }
        self.init(milliseconds: total)
        guard self >= .distantPast, self <= .distantFuture else { return nil }
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
