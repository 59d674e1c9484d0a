/// The customer's answer to a price increase (App Store Server API, priceIncreaseStatus). An open set.
package struct PriceIncreaseStatus: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let unanswered = PriceIncreaseStatus(rawValue: 0)
    /// Consented, or informed where no consent is needed.
    package static let accepted = PriceIncreaseStatus(rawValue: 1)
}
