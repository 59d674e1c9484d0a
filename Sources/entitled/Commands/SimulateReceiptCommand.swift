import AppStore
import EntitlementDomain
import Foundation
import Simulator

/// `entitled simulate receipt`.
enum SimulateReceiptCommand: Command {
    static let words = ["simulate", "receipt"]
    static let summary = "Sign an app receipt of StoreKit 1 and print it in base64."
    static let options = [
        Option("chain", "DIR", "directory of the throwaway chain that the service trusts; default .entitled/chain"),
        Option("product", "ID[:DAYS]", "a product bought now, a subscription with the days it lasts; may be repeated"),
        Option("transaction", "ID", "transaction id of the first product, the others count on; default a new one"),
        Option("bundle", "ID", "bundle id of the app; default com.example.app"),
        Option("sandbox", nil, "a receipt of the sandbox"),
    ]
    static let discussion = "The output is what an app sends as the parameter receipt of receipts.submit."

    static func run(_ arguments: ParsedArguments) async throws {
        let directory = arguments.value("chain") ?? ".entitled/chain"
        guard let chain = try? ThrowawayChain(directory: URL(filePath: directory)) else {
            throw CommandError(
                .noInput,
                "\(directory) holds no throwaway chain; 'entitled dev' makes one in its data directory"
            )
        }
        let now = SystemClock.now()
        // Whole seconds, as receipts have them.
        let second = Instant(milliseconds: now.milliseconds / 1_000 * 1_000)
        let first = try arguments.integer("transaction", in: 1...Int.max - 1_000) ?? Int(now.milliseconds)
        var receipt = AppReceipt()
        receipt.receiptType = arguments.has("sandbox") ? "ProductionSandbox" : "Production"
        receipt.appAppleID = arguments.has("sandbox") ? 0 : DevEnvironment.appAppleID
        receipt.bundleID = arguments.value("bundle") ?? DevEnvironment.bundleID
        receipt.applicationVersion = "2.0"
        receipt.originalApplicationVersion = "1.0"
        receipt.createdAt = second
        receipt.purchases = try arguments.all("product").enumerated().map { place, text in
            try purchase(text, id: String(first + place), at: second)
        }
        print(try chain.receiptSigner().sign(receipt))
    }

    private static func purchase(_ text: String, id: String, at instant: Instant) throws -> ReceiptPurchase {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let product = parts.first, !product.isEmpty, parts.count <= 2 else {
            throw CommandError(.usage, "--product must be ID or ID:DAYS, not '\(text)'")
        }
        var purchase = ReceiptPurchase(
            transactionID: id,
            originalTransactionID: id,
            productID: String(product),
            purchasedAt: instant
        )
        if parts.count == 2 {
            guard let days = Int64(parts[1]), (1...36_500).contains(days) else {
                throw CommandError(.usage, "--product: '\(parts[1])' is no number of days")
            }
            purchase.expiresAt = instant.advanced(byMilliseconds: days * 86_400_000)
            purchase.webOrderLineItemID = id
        }
        return purchase
    }
}
