/// Whether a subscription renews (App Store Server API, autoRenewStatus). An open set.
package struct AutoRenewStatus: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let off = AutoRenewStatus(rawValue: 0)
    package static let on = AutoRenewStatus(rawValue: 1)
}

extension AutoRenewStatus {
    /// Whether it renews; nil for a number that is not known.
    package var isOn: Bool? {
        switch self {
        case .on: true
        case .off: false
        default: nil
        }
    }
}
