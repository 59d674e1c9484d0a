import AppStore
import EntitlementDomain
import JSON
import TestKit
import Testing

/// Whatever the App Store signs for one of our apps is kept.
struct NotificationToleranceTests {
    private static let values: [JSONValue] = [
        .null, true, false, 0, 1, -1, 7, 4, 1_772_323_200_000, -62_135_769_600_000, 99_999_999_999_999_999, 1.5,
        "", "0", "1001", "x\u{0}y", "1772323200000", "FAMILY_SHARED", "Sandbox", "Xcode", [], [1, "x", [:]], [:],
        ["environment": 1, "items": [1, ["SKU": 2, "refunds": "x"]], "period": []],
    ]

    private static let transactionKeys = [
        "transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId", "productId", "purchaseDate",
        "expiresDate", "quantity", "type", "appAccountToken", "inAppOwnershipType", "revocationDate", "revocationType",
        "revocationPercentage", "revocationReason", "isUpgraded", "offerType", "environment", "price",
        "transactionReason", "advancedCommerceInfo", "commitmentInfo", "futureKey",
    ]
    private static let renewalKeys = [
        "originalTransactionId", "autoRenewStatus", "autoRenewProductId", "isInBillingRetryPeriod",
        "gracePeriodExpiresDate", "environment", "expirationIntent", "renewalDate", "eligibleWinBackOfferIds",
        "priceIncreaseStatus", "advancedCommerceInfo", "commitmentInfo",
    ]
    private static let dataKeys = ["environment", "status", "bundleVersion", "consumptionRequestReason", "futureKey"]
    private static let envelopeKeys = [
        "notificationType", "subtype", "notificationUUID", "version", "summary", "appData", "externalPurchaseToken",
    ]

    @Test func aGenuineNotificationIsNeverRefusedForItsMembers() throws {
        let desk = try SigningDesk.shared.get()
        let reader = try desk.reader()
        var generator = SeededGenerator(seed: SeededGenerator.seedOfThisRun("NotificationToleranceTests"))
        func changes(_ keys: [String]) -> [String: JSONValue?] {
            var changes: [String: JSONValue?] = [:]
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                guard let key = keys.randomElement(using: &generator) else { continue }
                changes[key] = .some(Self.values.randomElement(using: &generator))
            }
            return changes
        }
        var useful = 0
        for _ in 0..<300 {
            let text = try desk.notification(
                transaction: changes(Self.transactionKeys),
                renewalInfo: changes(Self.renewalKeys),
                data: changes(Self.dataKeys),
                envelope: changes(Self.envelopeKeys)
            )
            let statement = try reader.readNotification(signedPayload: text, now: SigningDesk.now)
            #expect(statement.line == nil || statement.line?.environment == statement.environment)
            #expect(statement.line != nil || statement.facts == StatementFacts(namedType: .received))
            let line = statement.line?.originalTransactionID
            #expect(statement.facts.transaction.map { $0.originalTransactionID == line } ?? true)
            // What is stored reads back, and is its own canonical form.
            let payload = try JSONParser.parse(statement.payload)
            #expect(payload.canonicalBytes() == statement.payload)
            if statement.facts.transaction != nil { useful += 1 }
        }
        // Most changes are harmless; a reader that gives up on each of them would pass the rest.
        #expect(useful > 100)
    }
}
