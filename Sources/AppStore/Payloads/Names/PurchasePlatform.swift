/// The platform on which the customer first got the app (App Store Server API, originalPlatform). An open set.
package struct PurchasePlatform: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let iOS = PurchasePlatform(rawValue: "iOS")
    package static let macOS = PurchasePlatform(rawValue: "macOS")
    package static let tvOS = PurchasePlatform(rawValue: "tvOS")
    package static let visionOS = PurchasePlatform(rawValue: "visionOS")
}
