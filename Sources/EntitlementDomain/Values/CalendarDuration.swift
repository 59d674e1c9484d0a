/// An ISO 8601 duration such as `P1M`, `P30D`, `PT36H` or `P1Y6M`, added on the UTC calendar.
///
/// Months and years are calendar steps (31 January + `P1M` is the last day of February); days, hours, minutes
/// and seconds are exact spans.
package struct CalendarDuration: Sendable, Hashable {
    /// Calendar months, years included.
    package var months: Int
    /// The exact part, in milliseconds.
    package var milliseconds: Int64

    /// A duration of whole months and an exact span.
    package init(months: Int = 0, milliseconds: Int64 = 0) {
        self.months = months
        self.milliseconds = milliseconds
    }

    /// `PT0S`.
    package static let zero = CalendarDuration()
    /// `P1D`.
    package static let oneDay = CalendarDuration(milliseconds: 86_400_000)

    package var isZero: Bool { months == 0 && milliseconds == 0 }

    /// Reads an ISO 8601 duration of whole, non-negative numbers; nil for anything else.
    package init?(iso8601 text: String) {
        var scanner = DigitScanner(text)
        guard scanner.skip("P"), !scanner.isAtEnd else { return nil }
        var months = 0
        var milliseconds: Int64 = 0
        var inTime = false
        var lastRank = -1
        while !scanner.isAtEnd {
            if scanner.skip("T") {
                guard !inTime, !scanner.isAtEnd else { return nil }
                inTime = true
            }
            guard let value = scanner.number() else { return nil }
            let rank: Int
            switch inTime {
            case false where scanner.skip("Y"): (rank, months) = (0, months + value * 12)
            case false where scanner.skip("M"): (rank, months) = (1, months + value)
            case false where scanner.skip("W"): (rank, milliseconds) = (2, milliseconds + Int64(value) * 604_800_000)
            case false where scanner.skip("D"): (rank, milliseconds) = (3, milliseconds + Int64(value) * 86_400_000)
            case true where scanner.skip("H"): (rank, milliseconds) = (4, milliseconds + Int64(value) * 3_600_000)
            case true where scanner.skip("M"): (rank, milliseconds) = (5, milliseconds + Int64(value) * 60_000)
            case true where scanner.skip("S"): (rank, milliseconds) = (6, milliseconds + Int64(value) * 1_000)
            default: return nil
            }
            guard rank > lastRank else { return nil }
            lastRank = rank
        }
        self.init(months: months, milliseconds: milliseconds)
    }

    /// The shortest ISO 8601 text of this duration; milliseconds are cut to seconds.
    package var iso8601: String {
        if isZero { return "PT0S" }
        var text = "P"
        if months >= 12 { text += "\(months / 12)Y" }
        if months % 12 != 0 { text += "\(months % 12)M" }
        let days = milliseconds / 86_400_000
        if days != 0 { text += "\(days)D" }
        let rest = milliseconds % 86_400_000
        if rest != 0 {
            text += "T"
            if rest >= 3_600_000 { text += "\(rest / 3_600_000)H" }
            if rest / 60_000 % 60 != 0 { text += "\(rest / 60_000 % 60)M" }
            if rest / 1_000 % 60 != 0 { text += "\(rest / 1_000 % 60)S" }
        }
        return text
    }
}

extension Instant {
    /// This instant moved forward by a calendar duration, months first, the day of the month cut to the month's
    /// length.
    package func adding(_ duration: CalendarDuration) -> Instant {
        var result = self
        if duration.months != 0 {
            let dayLength: Int64 = 86_400_000
            let days = milliseconds >= 0 ? milliseconds / dayLength : (milliseconds - dayLength + 1) / dayLength
            let rest = milliseconds - days * dayLength
            var date = CivilDate(daysSince1970: days)
            let months = date.year * 12 + date.month - 1 + duration.months
            guard months / 12 <= 9999 else { return .distantFuture }
            date.year = months / 12
            date.month = months % 12 + 1
            date.day = Swift.min(date.day, CivilDate.days(inMonth: date.month, ofYear: date.year))
            result = Instant(milliseconds: date.daysSince1970 * dayLength + rest)
        }
        return result.advanced(byMilliseconds: duration.milliseconds)
    }
}
