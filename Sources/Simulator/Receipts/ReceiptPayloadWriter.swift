import AppStore
import EntitlementDomain

/// Writes what an app receipt holds: a set of numbered attributes, in DER (Validating receipts on the device, receipt
/// fields).
enum ReceiptPayloadWriter {
    /// The bytes that are signed.
    static func payload(of receipt: AppReceipt) -> [UInt8] {
        var attributes: [[UInt8]] = []
        add(0, receipt.receiptType.map(DERWriter.text), to: &attributes)
        add(1, receipt.appAppleID.map(DERWriter.integer), to: &attributes)
        add(2, receipt.bundleID.map(DERWriter.text), to: &attributes)
        add(3, receipt.applicationVersion.map(DERWriter.text), to: &attributes)
        // An opaque value and a hash over the device's id; nobody on a server can check them.
        add(4, Array(repeating: 0xA5, count: 16), to: &attributes)
        add(5, Array(repeating: 0x5A, count: 20), to: &attributes)
        add(12, receipt.createdAt.map(date), to: &attributes)
        for purchase in receipt.purchases { add(17, self.purchase(purchase), to: &attributes) }
        add(18, receipt.originalPurchasedAt.map(date), to: &attributes)
        add(19, receipt.originalApplicationVersion.map(DERWriter.text), to: &attributes)
        add(21, receipt.expiresAt.map(date), to: &attributes)
        return DERWriter.set(attributes)
    }

    private static func purchase(_ purchase: ReceiptPurchase) -> [UInt8] {
        var attributes: [[UInt8]] = []
        add(1_701, DERWriter.integer(Int64(purchase.quantity ?? 1)), to: &attributes)
        add(1_702, DERWriter.text(purchase.productID), to: &attributes)
        add(1_703, DERWriter.text(purchase.transactionID), to: &attributes)
        add(1_704, date(purchase.purchasedAt), to: &attributes)
        add(1_705, DERWriter.text(purchase.originalTransactionID), to: &attributes)
        add(1_706, date(purchase.originalPurchasedAt ?? purchase.purchasedAt), to: &attributes)
        // Absent dates are written as empty text, an absent number as 0, as the App Store does it.
        add(1_708, purchase.expiresAt.map(date) ?? DERWriter.ia5Text(""), to: &attributes)
        let lineItem = purchase.webOrderLineItemID.flatMap { Int64($0) } ?? 0
        add(1_711, DERWriter.integer(lineItem), to: &attributes)
        add(1_712, purchase.canceledAt.map(date) ?? DERWriter.ia5Text(""), to: &attributes)
        add(1_713, purchase.isTrial.map { DERWriter.integer($0 ? 1 : 0) }, to: &attributes)
        add(1_719, purchase.isInIntroductoryOffer.map { DERWriter.integer($0 ? 1 : 0) }, to: &attributes)
        add(1_720, purchase.cancellationReason.map { DERWriter.integer(Int64($0)) }, to: &attributes)
        add(1_721, purchase.promotionalOfferID.map(DERWriter.text), to: &attributes)
        return DERWriter.set(attributes)
    }

    private static func add(_ type: Int64, _ value: [UInt8]?, to attributes: inout [[UInt8]]) {
        guard let value else { return }
        attributes.append(
            DERWriter.sequence(DERWriter.integer(type), DERWriter.integer(1), DERWriter.octetString(value))
        )
    }

    /// Whole seconds, as receipts have them.
    private static func date(_ instant: Instant) -> [UInt8] {
        DERWriter.ia5Text(String(instant.iso8601.dropLast(5)) + "Z")
    }
}
