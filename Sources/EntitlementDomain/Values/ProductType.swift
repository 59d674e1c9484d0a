/// The four kinds of In-App Purchase.
package enum ProductType: String, Sendable, Hashable, CaseIterable {
    case autoRenewable
    case nonConsumable
    case consumable
    case nonRenewing

    /// The kind named by a signed transaction's `type`; nil for a value that is not known.
    package init?(appStoreName: String) {
        switch appStoreName {
        case "Auto-Renewable Subscription": self = .autoRenewable
        case "Non-Consumable": self = .nonConsumable
        case "Consumable": self = .consumable
        case "Non-Renewing Subscription": self = .nonRenewing
        default: return nil
        }
    }

    /// The value of a signed transaction's `type`.
    package var appStoreName: String {
        switch self {
        case .autoRenewable: "Auto-Renewable Subscription"
        case .nonConsumable: "Non-Consumable"
        case .consumable: "Consumable"
        case .nonRenewing: "Non-Renewing Subscription"
        }
    }
}
