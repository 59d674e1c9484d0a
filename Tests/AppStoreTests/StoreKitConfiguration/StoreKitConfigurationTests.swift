import AppStore
import EntitlementDomain
import JSON
import Testing

@Suite struct StoreKitConfigurationTests {
    @Test(arguments: [
        ("library-2.0.storekit", StoreKitVersion(major: 2, minor: 0), 2, 0, [2]),
        ("fitness-3.0.storekit", StoreKitVersion(major: 3, minor: 0), 0, 2, [3]),
        ("news-4.0.storekit", StoreKitVersion(major: 4, minor: 0), 2, 1, [2, 1]),
        ("studio-5.0.storekit", StoreKitVersion(major: 5, minor: 0), 2, 1, [3]),
    ])
    func everyVersionIsReadWithoutAWarning(
        name: String,
        version: StoreKitVersion,
        products: Int,
        passes: Int,
        subscriptions: [Int]
    ) throws {
        let (configuration, warnings) = try StoreKitConfiguration.read(StoreKitSample.bytes(name))
        #expect(warnings == [])
        #expect(configuration.version == version)
        #expect(configuration.products.count == products)
        #expect(configuration.passes.count == passes)
        #expect(configuration.groups.map(\.subscriptions.count) == subscriptions)
        #expect(configuration.productCount == products + passes + subscriptions.reduce(0, +))
    }

    @Test func productsOfAllFourTypesAreTold() throws {
        let studio = try StoreKitSample.file("studio-5.0.storekit")
        #expect(
            studio.products == [
                StoreKitProduct(
                    productID: "com.example.studio.brushes",
                    type: .nonConsumable,
                    referenceName: "Brush Set",
                    price: 9.99,
                    isFamilyShareable: true
                ),
                StoreKitProduct(
                    productID: "com.example.studio.credits.50",
                    type: .consumable,
                    referenceName: "50 Render Credits",
                    price: 4.99
                ),
            ]
        )
        #expect(studio.passes.map(\.type) == [.nonRenewing])
        #expect(studio.groups[0].subscriptions.map(\.product.type) == [.autoRenewable, .autoRenewable, .autoRenewable])
    }

    @Test func groupsKeepIdNameLevelsAndPeriods() throws {
        let fitness = try StoreKitSample.file("fitness-3.0.storekit").groups[0]
        #expect(fitness.id == "B0C4E2D9")
        #expect(fitness.name == "Training Plans")
        #expect(!fitness.hasAppStoreID)
        #expect(fitness.subscriptions.map(\.level) == [1, 2, 2])
        #expect(fitness.subscriptions.map(\.period) == ["P1M", "P1M", "P1Y"])
        #expect(fitness.subscriptions.map(\.product.isFamilyShareable) == [true, false, false])
        let news = try StoreKitSample.file("news-4.0.storekit").groups
        #expect(news.map(\.hasAppStoreID) == [true, true])
        #expect(news[1].name == "会员")
    }

    @Test func everyKindOfOfferIsRead() throws {
        let plus = try StoreKitSample.file("news-4.0.storekit").groups[0].subscriptions[0]
        #expect(
            plus.offers == [
                StoreKitOffer(kind: .introductory, discountType: .freeTrial, period: "P3D"),
                StoreKitOffer(kind: .offerCode, identifier: "Spring codes", discountType: .freeTrial, period: "P1M"),
                StoreKitOffer(
                    kind: .winBack,
                    identifier: "back.2026",
                    discountType: .payAsYouGo,
                    period: "P1M",
                    periodCount: 2
                ),
            ]
        )
        let fitness = try StoreKitSample.file("fitness-3.0.storekit").groups[0].subscriptions
        #expect(
            fitness[0].offers == [
                StoreKitOffer(
                    kind: .promotional,
                    identifier: "coach.winter",
                    discountType: .payAsYouGo,
                    period: "P1M",
                    periodCount: 3
                )
            ]
        )
        #expect(fitness[1].offers.map(\.discountType) == [.payUpFront])
        #expect(fitness[2].offers == [])
    }

    @Test func anIntroductoryOfferInBothFormsOfVersion5IsOne() throws {
        let yearly = try StoreKitSample.file("studio-5.0.storekit").groups[0].subscriptions[0]
        #expect(yearly.billingPlans == [.billedUpfront, .monthly])
        #expect(
            yearly.offers == [
                StoreKitOffer(
                    kind: .introductory,
                    discountType: .freeTrial,
                    period: "P1W",
                    billingPlan: .billedUpfront
                ),
                StoreKitOffer(
                    kind: .introductory,
                    discountType: .payAsYouGo,
                    period: "P1M",
                    periodCount: 3,
                    billingPlan: .monthly
                ),
            ]
        )
    }

    @Test func anIntroductoryOfferThatOnlyStandsAloneIsNotLost() throws {
        let text = StoreKitSample.subscription(
            """
            "groupNumber" : 1, "recurringSubscriptionPeriod" : "P1M",
            "introductoryOffer" : { "paymentMode" : "free", "subscriptionPeriod" : "P3D" },
            "introductoryOffers" : [ { "paymentMode" : "free", "subscriptionPeriod" : "P1W" } ]
            """
        )
        let configuration = try StoreKitConfiguration.read(Array(text.utf8)).configuration
        #expect(configuration.groups[0].subscriptions[0].offers.map(\.period) == ["P3D", "P1W"])
    }

    @Test func aDisabledBillingPlanIsNoPlan() throws {
        let text = StoreKitSample.subscription(
            """
            "groupNumber" : 1, "recurringSubscriptionPeriod" : "P1Y",
            "billingPlans" : [ { "billingPlanType" : "BILLED_UPFRONT" },
                               { "billingPlanType" : "MONTHLY", "isEnabled" : false } ]
            """
        )
        let configuration = try StoreKitConfiguration.read(Array(text.utf8)).configuration
        #expect(configuration.groups[0].subscriptions[0].billingPlans == [.billedUpfront])
    }

    @Test func absentListsAreEmptyAndUnknownMembersArePassedOver() throws {
        let text = """
            { "version" : { "major" : 5, "minor" : 3, "patch" : 1 }, "newInXcode" : [ { "a" : null } ],
              "products" : [ { "productID" : "a", "type" : "NonConsumable", "displayPrice" : "1,99", "new" : true } ] }
            """
        let (configuration, warnings) = try StoreKitConfiguration.read(Array(text.utf8))
        #expect(warnings == [])
        #expect(configuration.version.description == "5.3")
        #expect(configuration.products == [StoreKitProduct(productID: "a", type: .nonConsumable)])
        #expect(configuration.passes == [] && configuration.groups == [])
    }

    @Test(arguments: [
        (#"{"version":{"major":4,"minor":0},"products":[]}"#, true),
        (#"{"version":"4.0","products":[]}"#, true),
        (#"{"subscriptionGroups":[]}"#, true),
        (#"{"nonRenewingSubscriptions":[]}"#, true),
        (#"{"subscriptions":[]}"#, true),
        (#"{"products":[]}"#, false),
        (#"{"version":1,"entitlements":[],"products":[]}"#, false),
        (#"{"entitlements":[],"currencies":[],"products":[]}"#, false),
        (#"{"currencies":[],"subscriptionGroups":[]}"#, false),
        ("[]", false),
        ("{}", false),
    ])
    func aConfigurationIsRecognisedByItsContent(text: String, isRecognised: Bool) throws {
        #expect(StoreKitConfiguration.recognizes(try JSONParser.parse(text)) == isRecognised)
    }
}
