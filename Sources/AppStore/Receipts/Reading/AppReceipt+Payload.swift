import EntitlementDomain

extension AppReceipt {
    /// The most purchases that are read from one receipt.
    static let maximumPurchases = 5_000

    /// The attributes of the payload that are looked at (Validating receipts on the device, receipt fields).
    private enum Kind {
        static let receiptType: Int64 = 0
        static let appAppleID: Int64 = 1
        static let bundleID: Int64 = 2
        static let applicationVersion: Int64 = 3
        static let createdAt: Int64 = 12
        static let purchase: Int64 = 17
        static let originalPurchasedAt: Int64 = 18
        static let originalApplicationVersion: Int64 = 19
        static let expiresAt: Int64 = 21
    }

    /// Reads the content of the signed message. Attributes that are not known are passed over.
    init(payload: [UInt8]) throws(BERError) {
        self.init()
        for attribute in try ReceiptAttribute.all(in: payload) {
            switch attribute.type {
            case Kind.receiptType: receiptType = attribute.text
            case Kind.appAppleID: appAppleID = attribute.integer
            case Kind.bundleID: bundleID = attribute.identifier
            case Kind.applicationVersion: applicationVersion = attribute.text
            case Kind.createdAt: createdAt = attribute.date
            case Kind.originalPurchasedAt: originalPurchasedAt = attribute.date
            case Kind.originalApplicationVersion: originalApplicationVersion = attribute.text
            case Kind.expiresAt: expiresAt = attribute.date
            case Kind.purchase:
                guard purchases.count < Self.maximumPurchases else {
                    throw BERError("it holds more than \(Self.maximumPurchases) purchases")
                }
                if let purchase = ReceiptPurchase(try ReceiptAttribute.all(in: attribute.value)) {
                    purchases.append(purchase)
                }
            default: break
            }
        }
    }
}

extension ReceiptAttribute {
    /// The value as a date (RFC 3339 in text).
    var date: Instant? { text.flatMap { Instant(iso8601: $0) } }
}
