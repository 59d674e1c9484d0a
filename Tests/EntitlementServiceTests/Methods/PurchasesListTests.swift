import JSON
import Testing

@Suite struct PurchasesListTests {
    @Test(
        arguments: BadParameters.ofKey("purchases.list")
            + [0, 1_001, -1, 1.5, "10", true].map { (limit: JSONValue) in
                BadParameters("purchases.list", ["account": .string(Samples.account), "limit": limit], names: "limit")
            } + [
                BadParameters("purchases.list", ["account": .string(Samples.account), "at": "yesterday"], names: "at")
            ]
    )
    func badParametersAreNamed(_ bad: BadParameters) async throws {
        try await bad.check()
    }

    @Test func purchasesAreListedNewestFirst() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1001", ["webOrderLineItemId": "w1"]))
        try await service.submit(
            Samples.transaction(
                "1002",
                [
                    "originalTransactionId": "1001", "productId": "later.monthly", "webOrderLineItemId": "w2",
                    "purchaseDate": Samples.milliseconds("2026-04-01T00:00:00Z"),
                    "expiresDate": Samples.milliseconds("2026-05-01T00:00:00Z"),
                    "revocationDate": Samples.milliseconds("2026-04-05T00:00:00Z"), "revocationReason": 1,
                    "revocationType": "REFUND_PRORATED", "revocationPercentage": 50_000,
                    "offerType": 2, "offerIdentifier": "spring",
                ]
            )
        )
        try await service.submit(
            Samples.coins(
                "2001",
                ["quantity": 3, "purchaseDate": Samples.milliseconds("2026-03-15T00:00:00Z")]
            )
        )
        let answer = try await service.call("purchases.list", ["account": .string(Samples.account)])
        #expect(answer["hasMore"] == false)
        let line = answer["lines"]?[0]
        #expect(line?["originalTransactionId"] == "1001")
        #expect(line?["environment"] == "Production")
        #expect(line?["productType"] == "autoRenewable")
        #expect(line?["mapped"] == false)
        #expect(line?["unmappedProductIds"] == ["later.monthly"])
        #expect(line?["owned"] == true)
        #expect(
            line?["purchases"]?[0] == [
                "transactionId": "1002", "transactionIds": ["1002"], "productId": "later.monthly",
                "purchaseDate": "2026-04-01T00:00:00.000Z", "expiresDate": "2026-05-01T00:00:00.000Z", "quantity": 1,
                "isUpgraded": false,
                "offer": ["type": "promotional", "id": "spring", "discountType": nil, "period": nil],
                "revocationDate": "2026-04-05T00:00:00.000Z", "revocationReason": 1,
                "revocationType": "REFUND_PRORATED", "revocationPercentage": 50_000, "webOrderLineItemId": "w2",
            ]
        )
        #expect(line?["purchases"]?[1]?["transactionId"] == "1001")
        let coins = answer["lines"]?[1]
        #expect(coins?["originalTransactionId"] == "2001")
        #expect(coins?["mapped"] == true)
        #expect(coins?["purchases"]?[0]?["quantity"] == 3)
        #expect(coins?["purchases"]?[0]?["expiresDate"] == .null)

        let shortened = try await service.call("purchases.list", ["account": .string(Samples.account), "limit": 2])
        #expect(shortened["hasMore"] == true)
        #expect(shortened["lines"]?.arrayValue?.count == 2)
        #expect(shortened["lines"]?[0]?["purchases"]?.arrayValue?.count == 1)
        try await service.close()
    }

    @Test func aLineAskedForByItsIdNeverTellsItsOwner() async throws {
        let service = try await TestService.make()
        try await service.submit(
            Samples.transaction("1001", ["appAccountToken": .string(Samples.account)]),
            account: nil
        )
        try await service.submit(Samples.transaction("1002"), account: nil)
        for (id, isOwned) in [("1001", true), ("1002", false)] {
            let answer = try await service.call("purchases.list", ["originalTransactionId": .string(id)])
            #expect(answer["lines"]?[0]?["owned"] == .bool(isOwned))
            let text = String(decoding: answer.serialized(), as: UTF8.self)
            #expect(!text.contains(Samples.account))
            #expect(!text.contains("account"))
        }
        try await service.close()
    }
}
