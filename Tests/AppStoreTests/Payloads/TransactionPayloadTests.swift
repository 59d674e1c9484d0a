import AppStore
import EntitlementDomain
import JSON
import Testing

struct TransactionPayloadTests {
    static let full = #"""
        {"transactionId":"2000000000000007","originalTransactionId":"2000000000000001","webOrderLineItemId":"9000001",
        "bundleId":"com.example.app","productId":"pro.monthly","subscriptionGroupIdentifier":"20000001",
        "purchaseDate":1772323200000,"originalPurchaseDate":1769904000000,"expiresDate":1775001600000,"quantity":1,
        "type":"Auto-Renewable Subscription","appAccountToken":"11111111-1111-4111-8111-11111111111A",
        "inAppOwnershipType":"PURCHASED","signedDate":1772323201000,"revocationReason":1,
        "revocationDate":1772400000000,"revocationType":"REFUND_PRORATED","revocationPercentage":50000,
        "isUpgraded":true,"offerType":2,"offerIdentifier":"spring","offerDiscountType":"PAY_AS_YOU_GO",
        "offerPeriod":"P1M","environment":"Production","storefront":"USA","storefrontId":"143441",
        "transactionReason":"RENEWAL","currency":"USD","price":10990,"appTransactionId":"700000001",
        "billingPlanType":"MONTHLY","commitmentInfo":{"billingPeriodNumber":3,"totalBillingPeriods":12,
        "commitmentExpiresDate":1803859200000,"commitmentPrice":131880},"futureKey":{"a":[1,2]}}
        """#

    @Test func everyMemberIsRead() throws {
        let payload = TransactionPayload(try object(Self.full))
        #expect(payload.unreadable == [])
        #expect(payload.transactionID == "2000000000000007")
        #expect(payload.originalTransactionID == "2000000000000001")
        #expect(payload.webOrderLineItemID == "9000001")
        #expect(payload.bundleID == "com.example.app")
        #expect(payload.productID == "pro.monthly")
        #expect(payload.subscriptionGroupID == "20000001")
        #expect(payload.purchasedAt?.iso8601 == "2026-03-01T00:00:00.000Z")
        #expect(payload.originalPurchasedAt?.iso8601 == "2026-02-01T00:00:00.000Z")
        #expect(payload.expiresAt?.iso8601 == "2026-04-01T00:00:00.000Z")
        #expect(payload.quantity == 1)
        #expect(payload.typeName == "Auto-Renewable Subscription")
        #expect(payload.productType == .autoRenewable)
        #expect(payload.appAccountToken?.description == "11111111-1111-4111-8111-11111111111a")
        #expect(payload.ownershipType == .purchased)
        #expect(payload.signedAt?.iso8601 == "2026-03-01T00:00:01.000Z")
        #expect(payload.revocationReason == .issueInApp)
        #expect(payload.revokedAt?.milliseconds == 1_772_400_000_000)
        #expect(payload.revocationType == .prorated)
        #expect(payload.revocationPercentage == 50_000)
        #expect(payload.isUpgraded == true)
        #expect(payload.offerKind == .promotional)
        #expect(payload.offerID == "spring")
        #expect(payload.offerDiscountType == .payAsYouGo)
        #expect(payload.offerPeriod == "P1M")
        #expect(payload.environment == .production)
        #expect(payload.storefront == "USA")
        #expect(payload.storefrontID == "143441")
        #expect(payload.reason == .renewal)
        #expect(payload.currency == "USD")
        #expect(payload.price == 10_990)
        #expect(payload.appTransactionID == "700000001")
        #expect(payload.billingPlanType == .monthly)
        #expect(payload.commitmentInfo?.billingPeriodNumber == 3)
        #expect(payload.commitmentInfo?.totalBillingPeriods == 12)
        #expect(payload.commitmentInfo?.commitmentExpiresAt?.iso8601 == "2027-03-01T00:00:00.000Z")
        #expect(payload.commitmentInfo?.commitmentPrice == 131_880)
        #expect(payload.advancedCommerceInfo == nil)
        #expect(payload.raw["futureKey"] == ["a": [1, 2]])
    }

    @Test func anEmptyObjectHasNoMembersAndNoFault() throws {
        let payload = TransactionPayload(JSONObject())
        #expect(payload.transactionID == nil)
        #expect(payload.unreadable == [])
    }

    @Test func membersOfTheWrongKindCountAsAbsentAndAreListed() throws {
        let payload = TransactionPayload(
            try object(
                #"""
                {"transactionId":1001,"productId":["x"],"purchaseDate":"2026-03-01","quantity":"1","isUpgraded":0,
                "commitmentInfo":[],"price":1.5,"type":4,"appAccountToken":"user-123","bundleId":"com.example.app"}
                """#
            )
        )
        #expect(payload.transactionID == nil)
        #expect(payload.bundleID == "com.example.app")
        #expect(
            Set(payload.unreadable) == [
                "transactionId", "productId", "purchaseDate", "quantity", "isUpgraded", "commitmentInfo", "price",
                "type", "appAccountToken",
            ]
        )
    }

    @Test func valuesThatAreNotKnownAreKept() throws {
        let payload = TransactionPayload(
            try object(#"{"type":"Rental","offerType":9,"revocationType":"REFUND_HALF","environment":"Staging"}"#)
        )
        #expect(payload.typeName == "Rental")
        #expect(payload.productType == nil)
        #expect(payload.offerKind == OfferKind(rawValue: 9))
        #expect(payload.revocationType == RevocationType(rawValue: "REFUND_HALF"))
        #expect(payload.environment == StoreEnvironment(rawValue: "Staging"))
        #expect(payload.unreadable == [])
    }

    @Test(arguments: [#""""#, #""0""#])
    func xcodesLineItemIsNone(json: String) throws {
        let payload = TransactionPayload(try object(#"{"webOrderLineItemId":\#(json)}"#))
        #expect(payload.webOrderLineItemID == nil)
        #expect(payload.unreadable == [])
    }

    @Test func advancedCommerceIsReadToItsLeaves() throws {
        let payload = TransactionPayload(
            try object(
                #"""
                {"advancedCommerceInfo":{"descriptors":{"description":"A show","displayName":"Show"},
                "estimatedTax":500,"period":"P1M","requestReferenceId":"c0ffee00-1414-4a14-8b14-140000000001",
                "taxCode":"C001","taxExclusivePrice":9490,"taxRate":"0.15","items":[
                {"SKU":"show.1","description":"d","displayName":"n","price":4990,"revocationDate":1772400000000,
                "offer":{"period":"P1W","periodCount":2,"price":0,"reason":"WIN_BACK"},
                "refunds":[{"refundAmount":4990,"refundDate":1772400000000,"refundReason":"LEGAL","refundType":"FULL"}]},
                {"SKU":"show.2","price":"free"}]}}
                """#
            )
        )
        let info = try #require(payload.advancedCommerceInfo)
        #expect(info.descriptors?.displayName == "Show")
        #expect(info.descriptors?.description == "A show")
        #expect(info.estimatedTax == 500)
        #expect(info.period == "P1M")
        #expect(info.requestReferenceID == "c0ffee00-1414-4a14-8b14-140000000001")
        #expect(info.taxCode == "C001")
        #expect(info.taxExclusivePrice == 9_490)
        #expect(info.taxRate == "0.15")
        let items = try #require(info.items)
        #expect(items.map(\.sku) == ["show.1", "show.2"])
        #expect(items[0].revokedAt?.milliseconds == 1_772_400_000_000)
        #expect(items[0].offer?.period == "P1W")
        #expect(items[0].offer?.periodCount == 2)
        #expect(items[0].offer?.price == 0)
        #expect(items[0].offer?.reason == .winBack)
        let refund = try #require(items[0].refunds?.first)
        #expect(refund.amount == 4_990)
        #expect(refund.refundedAt?.milliseconds == 1_772_400_000_000)
        #expect(refund.reason == .legal)
        #expect(refund.type == .full)
        #expect(items[1].price == nil)
        #expect(items[1].unreadable == ["price"])
    }
}
