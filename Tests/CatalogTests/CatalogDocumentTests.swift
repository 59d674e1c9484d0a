import EntitlementDomain
import EventStore
import JSON
import Testing

@Suite struct CatalogDocumentTests {
    /// A catalog with one line in it that is under test: line 5, the second product, is the given text.
    private static func catalog(_ product: String) -> String {
        """
        { "entitlements": [ { "id": "pro" } ],
          "currencies": [ { "id": "coins" } ],
          "products": [
            { "productId": "a", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 1, "grants": ["pro"] },
            \(product),
            { "productId": "coins.100", "type": "consumable", "credits": { "coins": 100 } }
          ] }
        """
    }

    private func problems(_ text: String) -> [CatalogError.Problem] {
        do {
            return try CatalogDocument.read(Array(text.utf8)).warnings
        } catch {
            return error.problems + error.warnings
        }
    }

    // MARK: Accepted

    @Test(arguments: [
        subscription(#""level": 2, "period": "P1M""#),
        subscription(#""level": 1, "refundAccess": "endOfPeriod", "renewalLeeway": "PT0S""#),
        #"{ "productId": "p", "type": "autoRenewable", "subscriptionGroup": "others", "grants": ["pro"] }"#,
        #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "name": "Ever", "familyShareable": true }"#,
        #"{ "productId": "p", "type": "nonRenewing", "duration": "P30D", "stacking": true, "grants": ["pro"] }"#,
        #"{ "productId": "p", "type": "consumable", "credits": { "coins": 1 }, "grants": [] }"#,
        #"{ "productId": "p", "type": "consumable", "credits": { "coins": 1000000000000 } }"#,
        """
        { "productId": "p", "type": "nonConsumable", "grants": ["pro"],
          "offers": [ { "type": "offerCode", "id": "c", "discountType": "ONE_TIME" } ] }
        """,
        """
        { "productId": "p", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 3, "grants": ["pro"],
          "billingPlans": ["BILLED_UPFRONT", "MONTHLY"],
          "offers": [
            { "type": "introductory", "discountType": "FREE_TRIAL", "period": "P1W", "billingPlan": "BILLED_UPFRONT" },
            { "type": "introductory", "discountType": "PAY_AS_YOU_GO", "period": "P1M", "periods": 3,
              "billingPlan": "MONTHLY" },
            { "type": "promotional", "id": "a", "discountType": "PAY_UP_FRONT", "period": "P6M" },
            { "type": "offerCode", "id": "a", "discountType": "FREE_TRIAL", "period": "P1M" },
            { "type": "winBack", "id": "a", "discountType": "FREE_TRIAL", "period": "P1M" } ] }
        """,
    ])
    func aProductInOrderIsReadWithoutAWord(product: String) throws {
        let document = try CatalogDocument.read(Array(Self.catalog(product).utf8))
        #expect(document.warnings == [])
        #expect(document.catalog["p"] != nil)
        #expect(document.catalog.products.count == 3)
    }

    @Test func whatIsReadIsWhatIsWritten() throws {
        let text = """
            { "entitlements": [ { "id": "pro" }, { "id": "pass" } ], "currencies": [ { "id": "coins" } ], "products": [
              { "productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2,
                "period": "P1M", "grants": ["pro"], "refundAccess": "endOfPeriod", "renewalLeeway": "PT6H" },
              { "productId": "max.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 1,
                "grants": ["pro", "pass"] },
              { "productId": "pass.30d", "type": "nonRenewing", "duration": "P30D", "stacking": true,
                "grants": ["pass"] },
              { "productId": "coins.100", "type": "consumable", "credits": { "coins": 100 } } ] }
            """
        let document = try CatalogDocument.read(Array(text.utf8))
        let monthly = try #require(document.catalog["pro.monthly"])
        #expect(document.catalog.entitlements == ["pro", "pass"])
        #expect(document.catalog.currencies == ["coins"])
        #expect(monthly.level == 2 && monthly.period == CalendarDuration(months: 1) && monthly.grants == ["pro"])
        #expect(monthly.refundAccess == .endOfPeriod && monthly.subscriptionGroup == "plans")
        #expect(monthly.renewalLeeway == CalendarDuration(iso8601: "PT6H"))
        #expect(document.catalog["max.monthly"]?.grants == ["pro", "pass"])
        #expect(document.catalog["pass.30d"]?.duration == CalendarDuration(iso8601: "P30D"))
        #expect(document.catalog["pass.30d"]?.stacking == true)
        #expect(document.catalog["coins.100"]?.credits == ["coins": 100])
        #expect(document.canonicalJSON == (try JSONParser.parse(text).canonicalBytes()))
    }

    // MARK: Refused

    /// A product on line 5, the member at fault, and words of the message.
    static let faults: [(product: String, member: String, phrase: String)] = [
        ("7", "", "a product must be an object, not a number"),
        (#"{ "type": "nonConsumable", "grants": ["pro"] }"#, "productId", "is missing"),
        (#"{ "productId": "", "type": "nonConsumable", "grants": ["pro"] }"#, "productId", "1 to 256 bytes"),
        (#"{ "productId": "a\u0000", "type": "nonConsumable", "grants": ["pro"] }"#, "productId", "1 to 256 bytes"),
        (
            #"{ "productId": "a", "type": "nonConsumable", "grants": ["pro"] }"#, "productId",
            "twice, first on line 4"
        ),
        (#"{ "productId": "p", "grants": ["pro"] }"#, "type", "is missing"),
        (#"{ "productId": "p", "type": "NonConsumable", "grants": ["pro"] }"#, "type", "is no product type"),
        (
            #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "grant": [] }"#, "grant",
            "no member \"grant\""
        ),
        (#"{ "productId": "p", "type": "nonConsumable", "grants": ["Pro"] }"#, "grants[0]", "\"Pro\" is not listed"),
        (#"{ "productId": "p", "type": "nonConsumable", "grants": ["pro", "pro"] }"#, "grants[1]", "granted twice"),
        (#"{ "productId": "p", "type": "nonConsumable", "grants": "pro" }"#, "grants", "must be an array"),
        (#"{ "productId": "p", "type": "nonConsumable", "grants": [1] }"#, "grants[0]", "must be text"),
        (#"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "name": 1 }"#, "name", "must be text"),
        (
            #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "level": 1 }"#, "level",
            "only an autoRenewable"
        ),
        (
            #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "credits": {} }"#, "credits",
            "only a consumable"
        ),
        (
            #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "stacking": true }"#, "stacking",
            "only a nonRenewing"
        ),
        (
            #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "duration": "P1D" }"#, "duration",
            "only a nonRenewing"
        ),
        (
            #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "familyShareable": 0 }"#,
            "familyShareable", "true or"
        ),
        (
            #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "refundAccess": "later" }"#,
            "refundAccess", "immediate"
        ),
        (
            #"{ "productId": "p", "type": "nonRenewing", "grants": ["pro"] }"#, "duration",
            "is missing: write how long \"p\" lasts"
        ),
        (
            #"{ "productId": "p", "type": "nonRenewing", "duration": null, "grants": ["pro"] }"#, "duration",
            "is missing: write"
        ),
        (#"{ "productId": "p", "type": "nonRenewing", "duration": 30, "grants": ["pro"] }"#, "duration", "ISO 8601"),
        (#"{ "productId": "p", "type": "nonRenewing", "duration": "P0D", "grants": ["pro"] }"#, "duration", "ISO 8601"),
        (
            #"{ "productId": "p", "type": "nonRenewing", "duration": "P1D", "stacking": "no", "grants": ["pro"] }"#,
            "stacking", "true"
        ),
        (
            #"{ "productId": "p", "type": "nonRenewing", "duration": "P1D", "offers": [], "grants": ["pro"] }"#,
            "offers", "no offers"
        ),
        (#"{ "productId": "p", "type": "autoRenewable", "grants": ["pro"] }"#, "", "needs subscriptionGroup"),
        (Self.subscription(#""level": 0"#), "level", "1 is the highest"),
        (Self.subscription(#""level": -1"#), "level", "1 is the highest"),
        (Self.subscription(#""level": "1""#), "level", "whole number"),
        (Self.subscription(#""level": 1.5"#), "level", "whole number"),
        (Self.subscription(#""period": "P1M""#), "level", "other products of group \"plans\" have a level"),
        (Self.subscription(#""level": 1, "period": "1 month""#), "period", "ISO 8601"),
        (Self.subscription(#""level": 1, "billingPlans": ["MONTHLY", "MONTHLY"]"#), "billingPlans[1]", "twice"),
        (Self.subscription(#""level": 1, "offers": {}"#), "offers", "must be an array"),
        (Self.offer("7"), "offers[0]", "must be an object"),
        (
            Self.offer(#"{ "type": "trial", "discountType": "FREE_TRIAL", "period": "P1W" }"#), "offers[0].type",
            "not known here"
        ),
        (
            Self.offer(#"{ "type": "promotional", "discountType": "FREE_TRIAL", "period": "P1W" }"#), "offers[0].id",
            "is missing"
        ),
        (
            Self.offer(#"{ "type": "introductory", "id": "a", "discountType": "FREE_TRIAL", "period": "P1W" }"#),
            "offers[0].id", "has no id"
        ),
        (Self.offer(#"{ "type": "introductory", "period": "P1W" }"#), "offers[0].discountType", "is missing"),
        (Self.offer(#"{ "type": "introductory", "discountType": "FREE_TRIAL" }"#), "offers[0].period", "is missing"),
        (
            Self.offer(#"{ "type": "offerCode", "id": "a", "discountType": "ONE_TIME" }"#), "offers[0].discountType",
            "a subscription has no ONE_TIME"
        ),
        (
            Self.offer(#"{ "type": "introductory", "discountType": "FREE_TRIAL", "period": "P1W", "periods": 0 }"#),
            "offers[0].periods", "from 1 to 9999"
        ),
        (
            Self.offer(#"{ "type": "introductory", "discountType": "FREE_TRIAL", "period": "P1W", "price": 1 }"#),
            "offers[0].price", "no member \"price\""
        ),
        (
            Self.offer(
                #"{ "type": "winBack", "id": "a", "discountType": "FREE_TRIAL", "period": "P1W" }, "#
                    + #"{ "type": "winBack", "id": "a", "discountType": "FREE_TRIAL", "period": "P2W" }"#
            ), "offers[1]", "listed twice"
        ),
        (#"{ "productId": "p", "type": "consumable", "credits": { "coins": 0 } }"#, "credits.coins", "from 1 to"),
        (#"{ "productId": "p", "type": "consumable", "credits": { "coins": -5 } }"#, "credits.coins", "from 1 to"),
        (#"{ "productId": "p", "type": "consumable", "credits": { "coins": 1.5 } }"#, "credits.coins", "whole number"),
        (#"{ "productId": "p", "type": "consumable", "credits": { "coins": "10" } }"#, "credits.coins", "whole number"),
        (
            #"{ "productId": "p", "type": "consumable", "credits": { "gems": 1 } }"#, "credits.gems",
            "\"gems\" is not listed"
        ),
        (#"{ "productId": "p", "type": "consumable", "credits": ["coins"] }"#, "credits", "must be an object"),
        (
            #"{ "productId": "p", "type": "consumable", "credits": { "coins": 1 }, "grants": ["pro"] }"#, "grants",
            "grants no entitlement"
        ),
        (
            #"{ "productId": "p", "type": "nonConsumable", "grants": ["pro"], "grants": ["pro"] }"#, "grants",
            "given twice"
        ),
    ]

    private static func subscription(_ members: String) -> String {
        #"{ "productId": "p", "type": "autoRenewable", "subscriptionGroup": "plans", "grants": ["pro"], \#(members) }"#
    }

    private static func offer(_ offers: String) -> String {
        subscription(#""level": 1, "offers": [ \#(offers) ]"#)
    }

    @Test(arguments: faults.indices)
    func aFaultyProductIsReportedWithLinePathAndReason(index: Int) throws {
        let (product, member, phrase) = Self.faults[index]
        let problems = problems(Self.catalog(product))
        let problem = try #require(problems.first)
        #expect(problems.count == 1, "\(problems)")
        #expect(problem.severity == .error)
        #expect(problem.line == 5)
        #expect(problem.path == (member.isEmpty ? "products[1]" : "products[1].\(member)"))
        #expect(problem.message.contains(phrase), "\(problem)")
    }

    @Test(arguments: [
        ("[]", 1, "", "must be an object"),
        ("{\n\"products\": [", 2, "", "ends inside a value"),
        ("{\n\"entitlements\": [] }", 1, "", "products is missing"),
        ("{\n\"products\": {} }", 2, "products", "must be an array"),
        ("{ \"products\": [],\n\"version\": 1 }", 2, "version", "no member \"version\""),
        ("{ \"products\": [],\n\"entitlements\": {} }", 2, "entitlements", "must be an array"),
        ("{ \"products\": [],\n\"entitlements\": [\n\"pro\"] }", 3, "entitlements[0]", "must be an object"),
        ("{ \"products\": [],\n\"currencies\": [\n{}] }", 3, "currencies[0].id", "is missing"),
        (
            "{ \"products\": [], \"currencies\": [{\"id\":\"a\"},\n{\"id\":\"a\"}] }", 2, "currencies[1].id",
            "first on line 1"
        ),
        ("{ \"products\": [], \"currencies\": [\n{\"id\":\"a\",\n\"unit\":1}] }", 3, "currencies[0].unit", "no member"),
    ])
    func aFaultyDocumentIsReportedWithLinePathAndReason(text: String, line: Int, path: String, phrase: String) throws {
        let errors = problems(text).filter { $0.severity == .error }
        let problem = try #require(errors.first)
        #expect(errors.count == 1, "\(errors)")
        #expect(problem.line == line)
        #expect(problem.path == path)
        #expect(problem.message.contains(phrase), "\(problem)")
    }

    // MARK: Warnings

    @Test(arguments: [
        (
            "{ \"products\": [], \"entitlements\": [\n{\"id\":\"pro\"},\n{\"id\":\"Pro\"}] }",
            [
                "warning: line 1: products: the catalog has no products: nobody is entitled to anything",
                "warning: line 2: entitlements[0].id: no product grants entitlement \"pro\"",
                "warning: line 3: entitlements[1].id: \"Pro\" differs from \"pro\" only in case: they are two",
                "warning: line 3: entitlements[1].id: no product grants entitlement \"Pro\"",
            ]
        ),
        (
            """
            { "currencies": [ { "id": "coins" } ], "products": [
              { "productId": "a", "type": "nonConsumable" },
              { "productId": "b", "type": "consumable" },
              { "productId": "c", "type": "nonRenewing", "duration": "P1D", "familyShareable": true, "grants": [] } ] }
            """,
            [
                "warning: line 1: currencies[0].id: no product credits currency \"coins\"",
                "warning: line 2: products[0].grants: this product grants nothing",
                "warning: line 3: products[1].credits: this product credits nothing",
                "warning: line 4: products[2].grants: this product grants nothing",
                "warning: line 4: products[2].familyShareable: the App Store shares neither consumables nor "
                    + "non-renewing subscriptions with a family",
            ]
        ),
        (
            """
            { "entitlements": [ { "id": "e" } ], "products": [
              { "productId": "a", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 3, "grants": ["e"] },
              { "productId": "b", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2, "grants": ["e"] },
              { "productId": "c", "type": "autoRenewable", "subscriptionGroup": "Plans", "grants": ["e"] } ] }
            """,
            [
                "warning: line 3: products[1].level: group \"plans\" has no product of level 1, which is the highest; "
                    + "its best is 2",
                "warning: line 4: products[2].subscriptionGroup: group \"Plans\" differs from \"plans\" only in case: "
                    + "they are two groups",
            ]
        ),
    ])
    func oversightsAreWarningsAndTheCatalogCanBeUsed(text: String, warnings: [String]) throws {
        let document = try CatalogDocument.read(Array(text.utf8))
        #expect(document.warnings.map(\.description) == warnings)
    }

    @Test func everyProblemIsReportedAtOnceInTheOrderOfLines() {
        let text = """
            {
              "entitlements": [ { "id": "pro" }, { "id": "unused" } ],
              "products": [
                { "productId": "a", "type": "autoRenewable", "subscriptionGroup": "g", "level": 0, "grants": ["max"] },
                { "productId": "a", "type": "subscription", "grants": ["pro"], "stacking": 1 },
                { "productId": "b", "type": "autoRenewable", "subscriptionGroup": "g", "grants": ["pro"] },
                { "type": "nonRenewing", "grants": [] }
              ],
              "extra": true
            }
            """
        #expect(
            problems(text).map { "\($0.severity.rawValue) \($0.line) \($0.path)" } == [
                "error 4 products[0].grants[0]",
                "error 4 products[0].level",
                "error 5 products[1].productId",
                "error 5 products[1].type",
                "error 5 products[1].stacking",
                "error 6 products[2].level",
                "error 7 products[3].productId",
                "error 7 products[3].duration",
                "error 9 extra",
                "warning 2 entitlements[1].id",
                "warning 7 products[3].grants",
            ]
        )
    }

    @Test func levelsAreComparedWithinAGroupOnly() throws {
        let text = """
            { "entitlements": [ { "id": "pro" } ], "products": [
              { "productId": "a", "type": "autoRenewable", "subscriptionGroup": "x", "level": 1, "grants": ["pro"] },
              { "productId": "b", "type": "autoRenewable", "subscriptionGroup": "y", "grants": ["pro"] } ] }
            """
        #expect(try CatalogDocument.read(Array(text.utf8)).warnings == [])
    }
}
