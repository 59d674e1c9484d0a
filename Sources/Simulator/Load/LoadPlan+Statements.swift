import EntitlementDomain
import JSON
import X509

extension LoadPlan {
    /// The decoded transaction of one period.
    func purchase(_ number: Int, period: Int, account: AccountID) -> JSONObject {
        let purchased = JSONValue(date(number, period: period).milliseconds)
        return [
            "transactionId": .string(transactionID(number, period: period)),
            "originalTransactionId": .string(transactionID(number, period: 0)),
            "webOrderLineItemId": .string(transactionID(number, period: period)),
            "bundleId": .string(bundleID),
            "productId": .string(productID),
            "subscriptionGroupIdentifier": .string(subscriptionGroup),
            "purchaseDate": purchased,
            "originalPurchaseDate": JSONValue(date(number, period: 0).milliseconds),
            "expiresDate": JSONValue(date(number, period: period + 1).milliseconds),
            "quantity": 1,
            "type": .string(ProductType.autoRenewable.appStoreName),
            "appAccountToken": .string(account.description),
            "inAppOwnershipType": "PURCHASED",
            "transactionReason": period == 0 ? "PURCHASE" : "RENEWAL",
            "environment": .string(environment.rawValue),
            "signedDate": purchased,
        ]
    }

    func notification(
        _ index: Int,
        _ purchase: JSONObject,
        isRenewal: Bool,
        _ signer: StatementSigner
    ) throws(X509Error) -> [UInt8] {
        let defaults = StatementDefaults(
            environment: .string(environment.rawValue),
            bundleID: .string(bundleID),
            signedDate: purchase["signedDate"]
        )
        let renewalInfo = defaults.renewalInfo(["renewalDate": purchase["expiresDate"]!], transaction: purchase)
        let notification = DecodedNotification(
            notificationType: isRenewal ? "DID_RENEW" : "SUBSCRIBED",
            subtype: isRenewal ? .none : "INITIAL_BUY",
            notificationUUID: .string(NotificationUUID.derived(fileName: "load \(seed)", deliveryID: "\(index)")),
            signedDate: purchase["signedDate"],
            data: DecodedNotification.Body(
                environment: defaults.environment,
                appAppleID: JSONValue(appAppleID),
                bundleID: defaults.bundleID,
                status: 1,
                transaction: purchase,
                renewalInfo: renewalInfo
            )
        )
        return try notification.body(signInner: signer.sign)
    }

    func upload(
        _ index: Int,
        _ purchase: JSONObject,
        account: AccountID,
        _ signer: StatementSigner
    ) throws(X509Error) -> [UInt8] {
        let text = try signer.sign(purchase)
        return ScenarioCall(
            method: "transactions.submit",
            params: ["signedTransaction": .string(text), "account": .string(account.description)]
        ).body(id: JSONValue(index))
    }
}
