import Glibc

/// From when to when a server's certificate holds.
package struct TLSValidity: Sendable, Hashable, CustomStringConvertible {
    /// Seconds since 1970.
    package let notBefore: Int
    /// Seconds since 1970.
    package let notAfter: Int

    /// Whether it holds now.
    package var isCurrent: Bool { notBefore <= time(nil) && time(nil) <= notAfter }

    /// `from 2026-12-01T12:00:00Z to 2027-03-01T12:00:00Z`.
    package var description: String {
        "from \(TLSValidity.text(notBefore)) to \(TLSValidity.text(notAfter))"
    }

    private static func text(_ seconds: Int) -> String {
        var seconds = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(digits)
        let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits)
        return "\(day.joined(separator: "-"))T\(time.joined(separator: ":"))Z"
    }
}
