import AppStore
import EntitlementDomain
import Simulator
import X509

/// Short ways to make receipts, and a reader that trusts the desk's chain.
struct ReceiptDesk {
    static let now = date("2026-03-20T00:00:00Z")

    let desk: SigningDesk

    init() throws { desk = try SigningDesk.shared.get() }

    static func date(_ text: String) -> Instant { Instant(iso8601: text) ?? .distantPast }

    func reader(
        environments: Set<StoreEnvironment> = [.production, .sandbox],
        xcodeCertificates: [Certificate] = [],
        acceptsXcode: Bool = false,
        change: (inout VerifierConfiguration) -> Void = { _ in }
    ) throws -> ReceiptReader {
        var configuration = VerifierConfiguration(
            roots: [desk.chain.root.certificate],
            xcodeCertificates: xcodeCertificates
        )
        change(&configuration)
        return ReceiptReader(
            verifier: try ReceiptVerifier(configuration),
            policy: AppStorePolicy(
                apps: ["com.example.app": 1_234_567_890, "com.example.other": nil],
                acceptedEnvironments: environments,
                acceptsXcode: acceptsXcode
            )
        )
    }

    /// A receipt of the app, created on 2026-03-15.
    static func receipt(_ purchases: ReceiptPurchase..., change: (inout AppReceipt) -> Void = { _ in }) -> AppReceipt {
        var receipt = AppReceipt()
        receipt.receiptType = "Production"
        receipt.appAppleID = 1_234_567_890
        receipt.bundleID = "com.example.app"
        receipt.applicationVersion = "42"
        receipt.createdAt = date("2026-03-15T00:00:00Z")
        receipt.originalPurchasedAt = date("2024-05-01T08:00:00Z")
        receipt.originalApplicationVersion = "7"
        receipt.purchases = purchases
        change(&receipt)
        return receipt
    }

    /// A period of a subscription.
    static func period(
        _ id: String,
        _ product: String = "pro.monthly",
        of line: String = "1001",
        from start: String,
        to end: String,
        canceled: String? = nil
    ) -> ReceiptPurchase {
        var purchase = ReceiptPurchase(
            transactionID: id,
            originalTransactionID: line,
            productID: product,
            purchasedAt: date(start)
        )
        purchase.originalPurchasedAt = date(start)
        purchase.expiresAt = date(end)
        purchase.webOrderLineItemID = "9" + id
        purchase.canceledAt = canceled.map(date)
        return purchase
    }

    /// A purchase without an end.
    static func single(_ id: String, _ product: String, at instant: String, quantity: Int? = nil) -> ReceiptPurchase {
        var purchase = ReceiptPurchase(
            transactionID: id,
            originalTransactionID: id,
            productID: product,
            purchasedAt: date(instant)
        )
        purchase.quantity = quantity
        return purchase
    }

    func sign(_ receipt: AppReceipt) throws -> String {
        try desk.chain.receiptSigner().sign(receipt)
    }

    func facts(of receipt: AppReceipt) throws -> [TransactionFacts] {
        try reader().read(try sign(receipt), now: Self.now).statements.compactMap(\.facts.transaction)
    }
}
