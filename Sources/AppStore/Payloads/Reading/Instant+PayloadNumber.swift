package import EntitlementDomain
package import JSON

extension Instant {
    /// The instant that a payload's number of milliseconds names, rounded down to whole ones; nil outside the years
    /// 1 ... 9999.
    ///
    /// StoreKit Testing in Xcode signs fractional milliseconds, and times before the year 1.
    package init?(payloadNumber number: JSONNumber) {
        let milliseconds: Int64
        if let whole = number.int64 {
            milliseconds = whole
        } else if let value = number.double, abs(value) < 1e15 {
            // A double holds such a value to a fraction of a millisecond. The conversion cuts towards zero.
            let towardsZero = Int64(value)
            milliseconds = Double(towardsZero) > value ? towardsZero - 1 : towardsZero
        } else {
            return nil
        }
        self.init(milliseconds: milliseconds)
        guard self >= .distantPast, self <= .distantFuture else { return nil }
    }
}
