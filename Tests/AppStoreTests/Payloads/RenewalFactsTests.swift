import AppStore
import EntitlementDomain
import JSON
import Testing

struct RenewalFactsTests {
    static let full = #"""
        {"expirationIntent":2,"originalTransactionId":"1001","autoRenewProductId":"pro.yearly","productId":"pro.monthly",
        "autoRenewStatus":1,"isInBillingRetryPeriod":true,"priceIncreaseStatus":0,
        "gracePeriodExpiresDate":1776384000000,"offerType":4,"offerIdentifier":"back","offerDiscountType":"FREE_TRIAL",
        "offerPeriod":"P1W","signedDate":1775001900000,"environment":"Production",
        "recentSubscriptionStartDate":1772323200000,"renewalDate":1775001600000,"currency":"EUR","renewalPrice":9990,
        "eligibleWinBackOfferIds":["back","again"],"appAccountToken":"11111111-1111-4111-8111-111111111111",
        "appTransactionId":"700000001","renewalBillingPlanType":"MONTHLY","commitmentInfo":{
        "commitmentAutoRenewProductId":"pro.yearly","commitmentAutoRenewStatus":0,
        "commitmentRenewalBillingPlanType":"BILLED_UPFRONT","commitmentRenewalDate":1803859200000,
        "commitmentRenewalPrice":99990},"advancedCommerceInfo":{"consistencyToken":"t",
        "descriptors":{"displayName":"Show"},"period":"P1M","requestReferenceId":"r","taxCode":"C001","items":[
        {"SKU":"show.1","description":"d","displayName":"n","price":5990,"offer":{"reason":"RETENTION"},
        "priceIncreaseInfo":{"dependentSKUs":["show.2"],"price":6990,"status":"PENDING"}}]}}
        """#

    private static let envelopeSignedAt = Instant(milliseconds: 1_775_002_000_000)

    private func envelope(_ type: String, _ subtype: String?, status: JSONValue?) -> NotificationPayload {
        var data: JSONObject = ["environment": "Production"]
        data["status"] = status
        var envelope: JSONObject = ["notificationType": .string(type), "data": .object(data)]
        envelope["subtype"] = subtype.map { .string($0) }
        envelope["signedDate"] = JSONValue(Self.envelopeSignedAt.milliseconds)
        return NotificationPayload(envelope)
    }

    @Test func everyMemberIsRead() throws {
        let payload = RenewalInfoPayload(try object(Self.full))
        #expect(payload.unreadable == [])
        #expect(payload.originalTransactionID == "1001")
        #expect(payload.environment == .production)
        #expect(payload.recentSubscriptionStartsAt?.milliseconds == 1_772_323_200_000)
        #expect(payload.eligibleWinBackOfferIDs == ["back", "again"])
        #expect(payload.appAccountToken?.description == "11111111-1111-4111-8111-111111111111")
        #expect(payload.appTransactionID == "700000001")
        #expect(payload.renewalBillingPlanType == .monthly)
        #expect(payload.commitmentInfo?.autoRenewProductID == "pro.yearly")
        #expect(payload.commitmentInfo?.autoRenewStatus == .off)
        #expect(payload.commitmentInfo?.renewalBillingPlanType == .billedUpfront)
        #expect(payload.commitmentInfo?.renewsAt?.milliseconds == 1_803_859_200_000)
        #expect(payload.commitmentInfo?.renewalPrice == 99_990)
        let commerce = try #require(payload.advancedCommerceInfo)
        #expect(commerce.consistencyToken == "t")
        #expect(commerce.descriptors?.displayName == "Show")
        #expect(commerce.period == "P1M")
        #expect(commerce.requestReferenceID == "r")
        #expect(commerce.taxCode == "C001")
        let item = try #require(commerce.items?.first)
        #expect(item.sku == "show.1")
        #expect(item.price == 5_990)
        #expect(item.offer?.reason == .retention)
        #expect(item.priceIncreaseInfo?.dependentSKUs == ["show.2"])
        #expect(item.priceIncreaseInfo?.price == 6_990)
        #expect(item.priceIncreaseInfo?.status == .pending)
    }

    @Test func theFullPayloadGivesAllFacts() throws {
        let facts = RenewalFacts(RenewalInfoPayload(try object(Self.full)), in: nil)
        let expected = RenewalFacts(
            signedAt: Instant(milliseconds: 1_775_001_900_000),
            autoRenews: true,
            productID: "pro.monthly",
            autoRenewProductID: "pro.yearly",
            isInBillingRetry: true,
            gracePeriodExpiresAt: Instant(milliseconds: 1_776_384_000_000),
            expirationIntent: 2,
            renewsAt: Instant(milliseconds: 1_775_001_600_000),
            priceIncreaseStatus: 0,
            renewalPrice: 9_990,
            currency: "EUR",
            offer: Offer(type: 4, identifier: "back", discountType: "FREE_TRIAL", period: "P1W"),
            status: nil,
            saysGracePeriod: true
        )
        #expect(facts == expected)
    }

    @Test(arguments: [("1", true), ("0", false), ("2", nil), ("true", nil), ("null", nil)])
    func autoRenewalIsReadOrUnknown(json: String, expected: Bool?) throws {
        let info = RenewalInfoPayload(try object(#"{"autoRenewStatus":\#(json),"signedDate":1}"#))
        #expect(RenewalFacts(info, in: nil)?.autoRenews == expected)
    }

    @Test(
        arguments: [
            // status, type, subtype, billing retry, grace date, says grace
            (4, "DID_RENEW", nil, false, false, true),
            (4, "DID_FAIL_TO_RENEW", nil, true, false, true),
            (nil, "DID_FAIL_TO_RENEW", "GRACE_PERIOD", true, false, true),
            (3, "DID_FAIL_TO_RENEW", "GRACE_PERIOD", true, false, false),
            (1, "DID_FAIL_TO_RENEW", "GRACE_PERIOD", false, false, false),
            (6, "DID_FAIL_TO_RENEW", "GRACE_PERIOD", true, false, true),
            (nil, "DID_FAIL_TO_RENEW", nil, true, false, false),
            (nil, "EXPIRED", "GRACE_PERIOD", false, false, false),
            (3, "DID_FAIL_TO_RENEW", nil, true, true, true),
            (3, "DID_FAIL_TO_RENEW", nil, false, true, false),
            (1, "DID_RENEW", nil, false, false, false),
        ] as [(Int?, String, String?, Bool, Bool, Bool)]
    )
    func graceIsSaidByStatusByWordsOrByADateInBillingRetry(
        status: Int?,
        type: String,
        subtype: String?,
        retry: Bool,
        hasDate: Bool,
        expected: Bool
    ) throws {
        var info: JSONObject = ["signedDate": 1_775_001_900_000, "isInBillingRetryPeriod": .bool(retry)]
        if hasDate { info["gracePeriodExpiresDate"] = 1_776_384_000_000 }
        let envelope = envelope(type, subtype, status: status.map { JSONValue($0) })
        let facts = try #require(RenewalFacts(RenewalInfoPayload(info), in: envelope))
        #expect(facts.saysGracePeriod == expected)
        #expect(facts.status == status)
        #expect(facts.signedAt.milliseconds == 1_775_001_900_000)
    }

    @Test func aStatusAloneIsAFactOfItsEnvelope() throws {
        let facts = try #require(RenewalFacts(nil, in: envelope("DID_FAIL_TO_RENEW", nil, status: 3)))
        #expect(facts == RenewalFacts(signedAt: Self.envelopeSignedAt, status: 3))
        #expect(facts.autoRenews == nil)
        let grace = try #require(RenewalFacts(nil, in: envelope("DID_FAIL_TO_RENEW", "GRACE_PERIOD", status: 4)))
        #expect(grace == RenewalFacts(signedAt: Self.envelopeSignedAt, status: 4, saysGracePeriod: true))
    }

    @Test func withoutRenewalInfoStatusAndGraceThereAreNoFacts() {
        #expect(RenewalFacts(nil, in: nil) == nil)
        #expect(RenewalFacts(nil, in: envelope("DID_RENEW", nil, status: nil)) == nil)
        #expect(RenewalFacts(nil, in: envelope("DID_RENEW", nil, status: "4")) == nil)
        #expect(RenewalFacts(nil, in: envelope("DID_FAIL_TO_RENEW", "GRACE_PERIOD", status: nil)) != nil)
    }

    @Test func theEnvelopeAndThenTheTransactionStandForAMissingDate() {
        let info = RenewalInfoPayload(["autoRenewStatus": 1])
        let transactionSignedAt = Instant(milliseconds: 5)
        #expect(
            RenewalFacts(info, in: envelope("X", nil, status: nil), transactionSignedAt: transactionSignedAt)?.signedAt
                == Self.envelopeSignedAt
        )
        #expect(
            RenewalFacts(info, in: nil, transactionSignedAt: transactionSignedAt)?.signedAt == transactionSignedAt
        )
        #expect(RenewalFacts(info, in: nil) == nil)
    }
}
