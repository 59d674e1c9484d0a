package import EntitlementDomain

/// An app receipt as StoreKit 1 keeps it on a device: which app it is of, and what the customer bought in it.
package struct AppReceipt: Sendable, Hashable {
    /// The kind of receipt as it names it (`Production`, `ProductionSandbox`, `Xcode`, and the `VPP` forms of both).
    package var receiptType: String?
    /// The app's Apple id; 0 outside Production.
    package var appAppleID: Int64?
    package var bundleID: String?
    /// The version that made the receipt.
    package var applicationVersion: String?
    /// When the App Store made the receipt.
    package var createdAt: Instant?
    /// When the customer first got the app.
    package var originalPurchasedAt: Instant?
    /// The version that the customer first got.
    package var originalApplicationVersion: String?
    /// When a receipt of the Volume Purchase Program expires.
    package var expiresAt: Instant?
    /// In the order of the receipt, those that lack a transaction id, a product id or a purchase date left out.
    package var purchases: [ReceiptPurchase] = []

    package init() {}

    /// The environment that the kind stands for; an unknown kind stands for itself.
    package var environment: StoreEnvironment? {
        switch receiptType {
        case "Production", "ProductionVPP": .production
        case "ProductionSandbox", "ProductionVPPSandbox", "Sandbox": .sandbox
        case let type?: StoreEnvironment(rawValue: type)
        case nil: nil
        }
    }
}
