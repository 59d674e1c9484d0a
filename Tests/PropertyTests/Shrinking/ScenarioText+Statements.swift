import EntitlementDomain
import JSON

extension ScenarioText {
    /// A statement as a delivery that arrives when it was signed.
    func delivery(_ statement: SignedStatement, number: Int) -> JSONValue {
        var object: JSONObject = [
            "id": .string("d\(number)"),
            "at": .string(statement.signedAt.iso8601),
        ]
        var content: JSONObject = [:]
        if let name = statement.name {
            let parts = name.rawValue.split(separator: "/").map { JSONValue.string(String($0)) }
            content.append("notificationType", parts[0])
            if parts.count > 1 { content.append("subtype", parts[1]) }
            if let renewal = statement.renewal {
                // A status without renewal info is as old as its envelope.
                if renewal.autoRenews == nil { content.append("signedDate", .string(renewal.signedAt.iso8601)) }
                if let status = renewal.status { content.append("status", JSONValue(status)) }
            }
        }
        if let transaction = statement.transaction {
            content.append("transaction", Self.transaction(transaction))
        }
        if let renewal = statement.renewal, renewal.autoRenews != nil {
            content.append("renewalInfo", Self.renewalInfo(renewal, line: statement.line))
        }
        object.append(statement.name == nil ? "upload" : "notification", .object(content))
        return .object(object)
    }

    private static func transaction(_ facts: TransactionFacts) -> JSONValue {
        var object: JSONObject = [
            "transactionId": .string(facts.transactionID),
            "originalTransactionId": .string(facts.originalTransactionID),
            "productId": .string(facts.productID),
            "purchaseDate": .string(facts.purchasedAt.iso8601),
        ]
        if let date = facts.expiresAt { object.append("expiresDate", .string(date.iso8601)) }
        object.append("signedDate", .string(facts.signedAt.iso8601))
        if let item = facts.webOrderLineItemID { object.append("webOrderLineItemId", .string(item)) }
        if facts.quantity != 1 { object.append("quantity", JSONValue(facts.quantity)) }
        if facts.ownership == .familyShared { object.append("inAppOwnershipType", "FAMILY_SHARED") }
        if facts.isRenewal == true { object.append("transactionReason", "RENEWAL") }
        if facts.isUpgraded { object.append("isUpgraded", true) }
        if let date = facts.revokedAt {
            object.append("revocationDate", .string(date.iso8601))
            object.append("revocationType", .string(facts.revocationKind.rawValue))
            if let share = facts.revocationPercentage { object.append("revocationPercentage", JSONValue(share)) }
        }
        if let token = facts.appAccountToken { object.append("appAccountToken", .string(token.description)) }
        return .object(object)
    }

    private static func renewalInfo(_ facts: RenewalFacts, line: LineID) -> JSONValue {
        var object: JSONObject = [
            "originalTransactionId": .string(line.originalTransactionID),
            "signedDate": .string(facts.signedAt.iso8601),
            "autoRenewStatus": JSONValue(facts.autoRenews == true ? 1 : 0),
        ]
        if let product = facts.productID { object.append("productId", .string(product)) }
        if let product = facts.autoRenewProductID { object.append("autoRenewProductId", .string(product)) }
        if facts.isInBillingRetry { object.append("isInBillingRetryPeriod", true) }
        if let date = facts.gracePeriodExpiresAt { object.append("gracePeriodExpiresDate", .string(date.iso8601)) }
        if let intent = facts.expirationIntent { object.append("expirationIntent", JSONValue(intent)) }
        if let date = facts.renewsAt { object.append("renewalDate", .string(date.iso8601)) }
        return .object(object)
    }
}
