import AppStore
import EntitlementDomain
import JSON
import Testing

struct TransactionFactsTests {
    private static let base: JSONObject = [
        "transactionId": "1002", "originalTransactionId": "1001", "productId": "pro.monthly",
        "purchaseDate": 1_772_323_200_000, "signedDate": 1_772_323_201_000,
    ]

    /// The facts of the smallest payload with some members changed; nil removes one.
    private func facts(_ changes: [String: JSONValue?] = [:], envelopeSignedAt: Instant? = nil) -> TransactionFacts? {
        var payload = Self.base
        for (key, value) in changes { payload[key] = value }
        return TransactionPayload(payload).facts(envelopeSignedAt: envelopeSignedAt)
    }

    @Test func theFullPayloadGivesAllFacts() throws {
        let facts = try #require(TransactionPayload(try object(TransactionPayloadTests.full)).facts())
        let expected = TransactionFacts(
            transactionID: "2000000000000007",
            originalTransactionID: "2000000000000001",
            productID: "pro.monthly",
            type: .autoRenewable,
            ownership: .purchased,
            signedAt: Instant(milliseconds: 1_772_323_201_000),
            purchasedAt: Instant(milliseconds: 1_772_323_200_000),
            originalPurchasedAt: Instant(milliseconds: 1_769_904_000_000),
            expiresAt: Instant(milliseconds: 1_775_001_600_000),
            webOrderLineItemID: "9000001",
            quantity: 1,
            revokedAt: Instant(milliseconds: 1_772_400_000_000),
            revocationKind: .prorated,
            revocationReason: 1,
            revocationPercentage: 50_000,
            isUpgraded: true,
            offer: Offer(type: 2, identifier: "spring", discountType: "PAY_AS_YOU_GO", period: "P1M"),
            isRenewal: true,
            appAccountToken: AccountID("11111111-1111-4111-8111-11111111111a"),
            subscriptionGroupID: "20000001"
        )
        #expect(facts == expected)
    }

    @Test func theSmallestPayloadGivesFacts() {
        #expect(
            facts()
                == TransactionFacts(
                    transactionID: "1002",
                    originalTransactionID: "1001",
                    productID: "pro.monthly",
                    signedAt: Instant(milliseconds: 1_772_323_201_000),
                    purchasedAt: Instant(milliseconds: 1_772_323_200_000)
                )
        )
    }

    @Test(arguments: ["transactionId", "productId", "purchaseDate"])
    func anEssentialMemberIsMissed(key: String) {
        for value: JSONValue? in [nil, .null, "", true] {
            var payload = Self.base
            payload[key] = value
            let read = TransactionPayload(payload)
            #expect(read.facts() == nil)
            #expect(read.missingEssentials == [key])
        }
        #expect(TransactionPayload(Self.base).missingEssentials == [])
    }

    @Test func theFirstTransactionStandsForAMissingOriginal() {
        #expect(facts(["originalTransactionId": .some(nil)])?.originalTransactionID == "1002")
        #expect(facts(["originalTransactionId": ""])?.originalTransactionID == "1002")
        #expect(facts(["originalTransactionId": 1001])?.originalTransactionID == "1002")
    }

    @Test func theEnvelopeAndThenThePurchaseStandForAMissingSignedDate() {
        let envelope = Instant(milliseconds: 1_772_323_999_000)
        #expect(facts(envelopeSignedAt: envelope)?.signedAt.milliseconds == 1_772_323_201_000)
        #expect(facts(["signedDate": .some(nil)], envelopeSignedAt: envelope)?.signedAt == envelope)
        #expect(facts(["signedDate": "x"])?.signedAt.milliseconds == 1_772_323_200_000)
    }

    @Test(arguments: [
        ("Auto-Renewable Subscription", ProductType.autoRenewable), ("Non-Consumable", .nonConsumable),
        ("Consumable", .consumable), ("Non-Renewing Subscription", .nonRenewing), ("Rental", nil), ("", nil),
    ])
    func theKindOfProductIsReadOrNil(name: String, expected: ProductType?) {
        #expect(facts(["type": .string(name)])?.type == expected)
    }

    @Test(arguments: [
        ("FAMILY_SHARED", Ownership.familyShared), ("PURCHASED", .purchased), ("FUTURE", .purchased), ("", .purchased),
    ])
    func onlyAFamilyShareIsAFamilyShare(name: String, expected: Ownership) {
        #expect(facts(["inAppOwnershipType": .string(name)])?.ownership == expected)
    }

    @Test(arguments: [
        ("REFUND_FULL", RevocationKind.full), ("REFUND_PRORATED", .prorated), ("FAMILY_REVOKE", .family),
        ("REFUND_HALF", .full), ("", .full),
    ])
    func anUnknownRevocationIsAFullOne(name: String, expected: RevocationKind) {
        #expect(facts(["revocationType": .string(name)])?.revocationKind == expected)
    }

    @Test(arguments: [(-5, 1), (0, 1), (1, 1), (3, 3)])
    func theQuantityIsAtLeastOne(quantity: Int, expected: Int) {
        #expect(facts(["quantity": JSONValue(quantity)])?.quantity == expected)
    }

    @Test func anAbsentQuantityIsOne() {
        #expect(facts()?.quantity == 1)
        #expect(facts(["quantity": "3"])?.quantity == 1)
    }

    @Test(arguments: [(-1, 0), (0, 0), (33_333, 33_333), (100_000, 100_000), (100_001, 100_000)])
    func theRevokedShareIsBetweenNothingAndAll(share: Int, expected: Int) {
        #expect(facts(["revocationPercentage": JSONValue(share)])?.revocationPercentage == expected)
    }

    @Test func anAbsentShareStaysAbsent() {
        #expect(facts()?.revocationPercentage == nil)
    }

    @Test(arguments: [("RENEWAL", true), ("PURCHASE", false), ("GIFT", nil)])
    func theReasonTellsRenewals(name: String, expected: Bool?) {
        #expect(facts(["transactionReason": .string(name)])?.isRenewal == expected)
    }

    @Test func anOfferNeedsItsKind() {
        #expect(facts(["offerType": 1, "offerDiscountType": "FREE_TRIAL"])?.offer?.discountType == "FREE_TRIAL")
        #expect(facts(["offerDiscountType": "FREE_TRIAL"])?.offer == nil)
        #expect(facts(["offerType": 17])?.offer?.type == 17)
    }

    @Test func aMalformedTokenIsNoToken() {
        #expect(facts(["appAccountToken": ""])?.appAccountToken == nil)
        #expect(facts(["appAccountToken": "user-123"])?.appAccountToken == nil)
        #expect(facts(["appAccountToken": "11111111-1111-4111-8111-111111111111"])?.appAccountToken != nil)
    }
}
