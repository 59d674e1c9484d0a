import AppStore
import EntitlementDomain
import Simulator
import X509

/// App receipts: the message, and what it is signed over.
enum FuzzReceipts {
    static func receipt(_ bytes: [UInt8]) {
        _ = try? (try? SignedMessage(bytes))?.verifiedContent()
        let text = String(decoding: Base64.encode(bytes), as: UTF8.self)
        _ = try? FuzzSite.shared.receipts.read(text, now: FuzzSite.now)
        // The same as text, which it is as a rule not.
        _ = try? FuzzSite.shared.receipts.read(String(decoding: bytes, as: UTF8.self), now: FuzzSite.now)
    }

    static func payload(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let text = try? FuzzSite.shared.chain.receiptSigner().sign(payload: bytes) else { return }
        _ = try? FuzzSite.shared.receipts.verifier.verify(Array(text.utf8), now: FuzzSite.now)
        guard let reading = try? FuzzSite.shared.receipts.read(text, now: FuzzSite.now) else { return }
        if reading.statements.count > bytes.count {
            throw FuzzFinding("more statements than bytes")
        }
    }

    private static let receipt: AppReceipt = {
        var receipt = AppReceipt()
        receipt.receiptType = "Production"
        receipt.appAppleID = FuzzSite.appAppleID
        receipt.bundleID = FuzzSite.bundleID
        receipt.applicationVersion = "2.0"
        receipt.originalApplicationVersion = "1.0"
        receipt.createdAt = FuzzSite.now
        var purchase = ReceiptPurchase(
            transactionID: "1001",
            originalTransactionID: "1000",
            productID: "pro.monthly",
            purchasedAt: Instant(milliseconds: FuzzSite.now.milliseconds - 86_400_000)
        )
        purchase.expiresAt = Instant(milliseconds: FuzzSite.now.milliseconds + 86_400_000)
        purchase.webOrderLineItemID = "7"
        receipt.purchases = [purchase]
        return receipt
    }()

    static var payloadSeeds: [[UInt8]] {
        [ReceiptSigner.payload(of: receipt), ReceiptSigner.payload(of: AppReceipt())]
    }

    static var signedSeeds: [[UInt8]] {
        let chain = FuzzSite.shared.chain
        return MessageSigner.Encoding.allCases.compactMap { encoding in
            (try? chain.receiptSigner(encoding: encoding).sign(receipt)).flatMap { Base64.decode(Array($0.utf8)) }
        }
    }
}
