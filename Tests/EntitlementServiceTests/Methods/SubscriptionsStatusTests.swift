import JSON
import Testing

@Suite struct SubscriptionsStatusTests {
    @Test(
        arguments: BadParameters.ofKey("subscriptions.status")
            + BadParameters.ofTime("subscriptions.status", "at", base: ["account": .string(Samples.account)])
    )
    func badParametersAreNamed(_ bad: BadParameters) async throws {
        try await bad.check()
    }

    @Test func anUnknownKeyHasNoSubscriptions() async throws {
        let service = try await TestService.shared.value
        for key: JSONValue in [["account": .string(Samples.otherAccount)], ["originalTransactionId": "404"]] {
            let answer = try await service.call("subscriptions.status", key)
            #expect(answer["groups"] == [])
            #expect(answer["nextChangeAt"] == .null)
        }
    }

    @Test func aSubscriptionIsToldWithItsTransactionAndRenewal() async throws {
        let service = try await TestService.make()
        try await service.submit(
            Samples.transaction("1001", ["offerType": 1, "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1M"]),
            renewalInfo: Samples.renewalInfo(
                "1001",
                [
                    "autoRenewProductId": "max.monthly", "renewalDate": Samples.milliseconds("2026-04-01T00:00:00Z"),
                    "renewalPrice": 9_990, "currency": "EUR", "priceIncreaseStatus": 0,
                ]
            )
        )
        let answer = try await service.call("subscriptions.status", ["account": .string(Samples.account)])
        #expect(answer["at"] == "2026-03-01T00:00:00.000Z")
        #expect(answer["nextChangeAt"] == "2026-04-01T00:00:00.000Z")
        let group = answer["groups"]?[0]
        #expect(group?["subscriptionGroupId"] == "20001")
        #expect(group?["group"] == "plans")
        #expect(group?["state"] == "subscribed")
        #expect(group?["introductoryOfferUsed"] == true)
        let status = group?["statuses"]?[0]
        #expect(status?["originalTransactionId"] == "1001")
        #expect(status?["bundleId"] == "com.example.app")
        #expect(status?["ownership"] == "PURCHASED")
        #expect(
            status?["transaction"] == [
                "transactionId": "1001", "webOrderLineItemId": nil, "productId": "pro.monthly",
                "purchaseDate": "2026-03-01T00:00:00.000Z", "originalPurchaseDate": "2026-03-01T00:00:00.000Z",
                "expiresDate": "2026-04-01T00:00:00.000Z", "transactionReason": "PURCHASE",
                "offer": ["type": "introductory", "id": nil, "discountType": "FREE_TRIAL", "period": "P1M"],
                "isUpgraded": false, "revocationDate": nil, "revocationReason": nil, "revocationType": nil,
                "revocationPercentage": nil, "signedDate": "2026-03-01T00:00:00.000Z",
            ]
        )
        #expect(
            status?["renewalInfo"] == [
                "autoRenewStatus": 1, "autoRenewProductId": "max.monthly", "isInBillingRetryPeriod": false,
                "gracePeriodExpiresDate": nil, "expirationIntent": nil, "renewalDate": "2026-04-01T00:00:00.000Z",
                "priceIncreaseStatus": 0, "renewalPrice": 9_990, "currency": "EUR", "offer": nil,
                "signedDate": "2026-03-01T00:00:00.000Z",
            ]
        )
        try await service.close()
    }

    @Test func theAnswerIsOfTheInstantAsked() async throws {
        let service = try await TestService.make()
        try await service.submit(
            Samples.transaction("1001"),
            renewalInfo: Samples.renewalInfo("1001")
        )
        let failed: [String: JSONValue?] = [
            "signedDate": Samples.milliseconds("2026-04-01T00:01:00Z"), "isInBillingRetryPeriod": true,
            "gracePeriodExpiresDate": Samples.milliseconds("2026-04-04T00:00:00Z"), "expirationIntent": 2,
        ]
        try await service.submit(
            Samples.transaction("1001", ["signedDate": Samples.milliseconds("2026-04-01T00:01:00Z")]),
            renewalInfo: Samples.renewalInfo("1001", failed)
        )
        let states = [
            ("2026-02-28T23:59:59.999Z", JSONValue?.none), ("2026-03-01T00:00:00Z", "subscribed"),
            ("2026-04-02T00:00:00Z", "inGracePeriod"), ("2026-04-04T00:00:00Z", "inBillingRetryPeriod"),
        ]
        for (at, state) in states {
            let answer = try await service.call(
                "subscriptions.status",
                ["originalTransactionId": "1001", "at": .string(at)]
            )
            #expect(answer["groups"]?[0]?["state"] == state, "at \(at)")
            #expect(answer["account"] == nil)
        }
        try await service.close()
    }

    @Test func anUnmappedProductHasAStatusToo() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1001", ["productId": "later.monthly"]))
        let group = try await service.call("subscriptions.status", ["account": .string(Samples.account)])["groups"]?[0]
        #expect(group?["subscriptionGroupId"] == "20001")
        #expect(group?["group"] == .null)
        #expect(group?["state"] == "subscribed")
        #expect(group?["statuses"]?[0]?["renewalInfo"] == .null)
        try await service.close()
    }
}
