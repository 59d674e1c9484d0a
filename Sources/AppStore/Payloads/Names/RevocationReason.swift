/// Why a transaction was refunded or revoked (App Store Server API, revocationReason). An open set.
package struct RevocationReason: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let other = RevocationReason(rawValue: 0)
    package static let issueInApp = RevocationReason(rawValue: 1)
}
