/// How far a price increase of an Advanced Commerce item has come (Advanced Commerce API, priceIncreaseInfo). An open set.
package struct AdvancedCommercePriceIncreaseStatus: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let scheduled = AdvancedCommercePriceIncreaseStatus(rawValue: "SCHEDULED")
    package static let pending = AdvancedCommercePriceIncreaseStatus(rawValue: "PENDING")
    package static let accepted = AdvancedCommercePriceIncreaseStatus(rawValue: "ACCEPTED")
}
