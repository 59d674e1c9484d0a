import AppStore
import JSON
import Testing

@Suite struct CatalogDraftTests {
    private func draft(_ text: String) throws -> CatalogDraft {
        CatalogDraft(try StoreKitConfiguration.read(Array(text.utf8)).configuration)
    }

    private func json(_ draft: CatalogDraft) throws -> JSONValue {
        try JSONParser.parse(draft.bytes)
    }

    @Test func theDraftOfAFileWithAllKindsIsThis() throws {
        let text = """
            { "version" : { "major" : 5, "minor" : 0 },
              "products" : [
                { "productID" : "gems", "type" : "Consumable", "referenceName" : "Gems" },
                { "productID" : "unlock", "type" : "NonConsumable", "familyShareable" : true } ],
              "nonRenewingSubscriptions" : [ { "productID" : "season", "type" : "NonRenewingSubscription" } ],
              "subscriptionGroups" : [ { "id" : "21000001", "name" : "Pro Plans!", "subscriptions" : [
                { "productID" : "pro.year", "type" : "RecurringSubscription", "groupNumber" : 1,
                  "recurringSubscriptionPeriod" : "P1Y", "familyShareable" : true,
                  "billingPlans" : [ { "billingPlanType" : "MONTHLY", "isEnabled" : true } ],
                  "adHocOffers" : [ { "offerID" : "half", "paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P1M",
                                      "numberOfPeriods" : 2, "billingPlanType" : "MONTHLY" } ] } ] } ] }
            """
        let expected: JSONValue = [
            "entitlements": [["id": "pro-plans", "name": "Pro Plans!"], ["id": "unlock"], ["id": "season"]],
            "currencies": [["id": "gems", "name": "Gems"]],
            "products": [
                [
                    "productId": "pro.year", "type": "autoRenewable", "subscriptionGroup": "21000001", "level": 1,
                    "period": "P1Y", "grants": ["pro-plans"], "familyShareable": true, "billingPlans": ["MONTHLY"],
                    "offers": [
                        [
                            "type": "promotional", "id": "half", "discountType": "PAY_AS_YOU_GO", "period": "P1M",
                            "periods": 2, "billingPlan": "MONTHLY",
                        ]
                    ],
                ],
                ["productId": "unlock", "type": "nonConsumable", "grants": ["unlock"], "familyShareable": true],
                [
                    "productId": "season", "type": "nonRenewing", "duration": nil, "stacking": false,
                    "grants": ["season"],
                ],
                ["productId": "gems", "name": "Gems", "type": "consumable", "credits": ["gems": 1]],
            ],
        ]
        #expect(try json(draft(text)) == expected)
    }

    @Test(arguments: ["library-2.0.storekit", "fitness-3.0.storekit", "news-4.0.storekit", "studio-5.0.storekit"])
    func theSameFileAlwaysGivesTheSameBytes(name: String) throws {
        let first = CatalogDraft(try StoreKitSample.file(name))
        let second = CatalogDraft(try StoreKitSample.file(name))
        #expect(first.bytes == second.bytes)
        #expect(first.tasks == second.tasks)
        #expect(first.bytes.last == UInt8(ascii: "\n"))
    }

    @Test func tasksNameTheLineThatHoldsWhatIsToBeDone() throws {
        let draft = CatalogDraft(try StoreKitSample.file("fitness-3.0.storekit"))
        let lines = String(decoding: draft.bytes, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(draft.tasks.filter(\.isRequired).map(\.path) == ["products[3].duration", "products[4].duration"])
        for task in draft.tasks {
            let member = try #require(task.path.split(separator: ".").last)
            #expect(lines[task.line - 1].contains("\"\(member)\":"), "\(task)")
        }
        #expect(draft.tasks.contains { $0.message.contains("levels 1, 2") })
        #expect(draft.tasks.contains { $0.message.contains("\"B0C4E2D9\" is Xcode's local id") })
    }

    @Test func aSynchronisedFileAsksForNoGroupId() throws {
        let draft = CatalogDraft(try StoreKitSample.file("news-4.0.storekit"))
        #expect(!draft.tasks.contains { $0.path.hasSuffix("subscriptionGroup") })
        #expect(try json(draft)["products"]?[0]?["subscriptionGroup"] == "21480551")
    }

    @Test(arguments: [
        (["Plans", "plans", "PLANS!"], ["plans", "plans-2", "plans-3"]),
        (["Pro + Max (2026)"], ["pro-max-2026"]),
        (["会员", "Ægir"], ["会员", "ægir"]),
        (["***"], ["g0"]),
        (["unlock"], ["unlock"]),
    ])
    func entitlementsAreNamedAfterGroupsAndNeverShareAnId(names: [String], ids: [String]) throws {
        let groups = names.enumerated().map { index, name in
            """
            { "id" : "g\(index)", "name" : "\(name)", "subscriptions" : [ {
              "productID" : "p\(index)", "groupNumber" : 1, "type" : "RecurringSubscription",
              "recurringSubscriptionPeriod" : "P1M" } ] }
            """
        }
        let text = """
            { "version" : { "major" : 3, "minor" : 0 }, "subscriptionGroups" : [ \(groups.joined(separator: ",")) ],
              "products" : [ { "productID" : "Unlock", "type" : "NonConsumable" } ] }
            """
        let document = try json(draft(text))
        let last = ids.contains("unlock") ? "Unlock-2" : "Unlock"
        let found = try #require(document["entitlements"]?.arrayValue).map { $0["id"]?.stringValue }
        #expect(found == ids + [last])
        let granted = try #require(document["products"]?.arrayValue).map { $0["grants"]?[0]?.stringValue }
        #expect(granted == ids + [last])
    }

    @Test func aGroupWithoutSubscriptionsIsNoEntitlement() throws {
        let text = """
            { "version" : { "major" : 3, "minor" : 0 }, "subscriptionGroups" : [ { "id" : "1", "name" : "A" } ] }
            """
        #expect(try json(draft(text))["entitlements"] == [])
    }
}
