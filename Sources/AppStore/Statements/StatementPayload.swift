import JSON

/// The decoded parts of a statement as they are stored.
struct StatementPayload {
    var notification: NotificationPayload?
    var transaction: TransactionPayload?
    var renewalInfo: RenewalInfoPayload?
    var appTransaction: AppTransactionPayload?

    /// One object with the parts that are there, as canonical JSON. The signed texts inside an envelope are left out:
    /// they are the evidence, and their contents stand beside it.
    func canonicalBytes() -> [UInt8] {
        var parts = JSONObject()
        if let notification { parts.append("notification", .object(Self.withoutSignedTexts(notification.raw))) }
        if let transaction { parts.append("transaction", .object(transaction.raw)) }
        if let renewalInfo { parts.append("renewalInfo", .object(renewalInfo.raw)) }
        if let appTransaction { parts.append("appTransaction", .object(appTransaction.raw)) }
        return JSONValue.object(parts).canonicalBytes()
    }

    private static func withoutSignedTexts(_ envelope: JSONObject) -> JSONObject {
        var envelope = envelope
        for (object, texts) in [
            ("data", ["signedTransactionInfo", "signedRenewalInfo"]), ("appData", ["signedAppTransactionInfo"]),
        ] {
            guard var inner = envelope[object]?.objectValue else { continue }
            for text in texts { inner.remove(text) }
            envelope[object] = .object(inner)
        }
        return envelope
    }
}
