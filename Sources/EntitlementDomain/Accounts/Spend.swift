/// Credits that an account has spent.
package struct Spend: Sendable, Hashable {
    /// The position of the event: spends of one instant count in log order.
    package var position: Int64
    package var at: Instant
    package var currency: String
    package var units: Int64

    package init(position: Int64, at: Instant, currency: String, units: Int64) {
        self.position = position
        self.at = at
        self.currency = currency
        self.units = units
    }
}
