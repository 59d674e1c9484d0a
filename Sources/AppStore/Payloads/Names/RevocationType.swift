/// What a revocation takes back (App Store Server API, revocationType). An open set.
package struct RevocationType: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let full = RevocationType(rawValue: "REFUND_FULL")
    package static let prorated = RevocationType(rawValue: "REFUND_PRORATED")
    package static let family = RevocationType(rawValue: "FAMILY_REVOKE")
}
