/// Why a subscription expired (App Store Server API, expirationIntent). An open set.
package struct ExpirationIntent: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let customerCancelled = ExpirationIntent(rawValue: 1)
    package static let billingError = ExpirationIntent(rawValue: 2)
    package static let noPriceConsent = ExpirationIntent(rawValue: 3)
    package static let productUnavailable = ExpirationIntent(rawValue: 4)
    package static let other = ExpirationIntent(rawValue: 5)
}
