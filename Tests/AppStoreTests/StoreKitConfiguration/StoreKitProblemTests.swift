import AppStore
import JSON
import Testing

@Suite struct StoreKitProblemTests {
    /// A faulty text, and what is said about it.
    struct Fault: Sendable, CustomTestStringConvertible {
        var text: String
        var line: Int
        var path: String
        var phrase: String
        var severity = StoreKitProblem.Severity.error

        var testDescription: String { "line \(line): \(path): \(phrase)" }
    }

    static let documents = [
        Fault(text: "[]", line: 1, path: "", phrase: "is an object"),
        Fault(text: "{\n  \"version\" :", line: 2, path: "", phrase: "ends inside a value"),
        Fault(text: "\n{ \"products\" : [] }", line: 2, path: "", phrase: "version is missing"),
        Fault(text: "{ \"products\" : [],\n \"version\" : \"4.0\" }", line: 2, path: "version", phrase: "not a string"),
        Fault(text: "{ \"version\" : {\"major\":4} }", line: 1, path: "version", phrase: "two whole numbers"),
        Fault(text: "{ \"version\" : {\"major\":4.5,\"minor\":0} }", line: 1, path: "version", phrase: "whole numbers"),
        Fault(
            text: "{\n\"version\" : {\"major\":1,\"minor\":2} }",
            line: 2,
            path: "version",
            phrase: "1.2 is not known"
        ),
        Fault(
            text: "{\n\"version\" : {\"major\":6,\"minor\":0} }",
            line: 2,
            path: "version",
            phrase: "6.0 is not known"
        ),
        Fault(
            text: "{ \"version\" : {\"major\":4,\"minor\":0},\n \"products\" : {} }",
            line: 2,
            path: "products",
            phrase: "must be an array, not an object"
        ),
        Fault(
            text: "{ \"version\" : {\"major\":4,\"minor\":0},\n \"products\" : [\n7] }",
            line: 3,
            path: "products[0]",
            phrase: "must be an object"
        ),
        Fault(
            text: "{ \"version\" : {\"major\":4,\"minor\":0},\n \"products\" : [],\n \"products\" : [] }",
            line: 3,
            path: "products",
            phrase: "given twice"
        ),
        Fault(
            text: "{ \"version\" : {\"major\":4,\"minor\":0}, \"products\" : [],\n \"subscriptions\" : [] }",
            line: 2,
            path: "subscriptions",
            phrase: "subscriptionGroups[].subscriptions"
        ),
        Fault(
            text: "{ \"version\" : {\"major\":4,\"minor\":0}, \"products\" : [] }",
            line: 1,
            path: "",
            phrase: "no products",
            severity: .warning
        ),
    ]

    static let products = [
        Fault(text: #""type" : "Consumable""#, line: 3, path: "products[0].productID", phrase: "is missing"),
        Fault(
            text: #""productId" : "a", "type" : "Consumable""#,
            line: 3,
            path: "products[0].productID",
            phrase: "\"productId\" is not how Xcode spells it"
        ),
        Fault(
            text: #""productID" : "", "type" : "Consumable""#,
            line: 3,
            path: "products[0].productID",
            phrase: "1 to 256"
        ),
        Fault(text: #""productID" : 7, "type" : "Consumable""#, line: 3, path: "products[0].productID", phrase: "text"),
        Fault(text: #""productID" : "a""#, line: 3, path: "products[0].type", phrase: "is missing"),
        Fault(
            text: #""productID" : "a", "type" : "Lifetime""#,
            line: 3,
            path: "products[0].type",
            phrase: "\"Lifetime\" is no product type"
        ),
        Fault(
            text: #""productID" : "a", "type" : "RecurringSubscription""#,
            line: 3,
            path: "products[0].type",
            phrase: "stands in subscriptionGroups[].subscriptions, not in products"
        ),
        Fault(
            text: #""productID" : "a", "type" : "NonRenewingSubscription""#,
            line: 3,
            path: "products[0].type",
            phrase: "stands in nonRenewingSubscriptions"
        ),
        Fault(
            text: #""productID" : "a", "type" : "Consumable", "familyShareable" : 1"#,
            line: 3,
            path: "products[0].familyShareable",
            phrase: "true or false"
        ),
        Fault(
            text: #""productID" : "a", "type" : "Consumable", "referenceName" : {}"#,
            line: 3,
            path: "products[0].referenceName",
            phrase: "must be text"
        ),
        Fault(
            text:
                #""productID" : "a", "type" : "Consumable" },"# + "\n"
                + #"{ "productID" : "a", "type" : "Consumable""#,
            line: 4,
            path: "products[1].productID",
            phrase: "stands twice, first on line 3"
        ),
        Fault(
            text: #""productID" : "a", "type" : "Consumable", "familyShareable" : true"#,
            line: 3,
            path: "products[0].familyShareable",
            phrase: "shares neither",
            severity: .warning
        ),
        Fault(
            text: #""productID" : "a", "type" : "Consumable", "displayPrice" : 4.99"#,
            line: 3,
            path: "products[0].displayPrice",
            phrase: "as text",
            severity: .warning
        ),
    ]

    /// Members of a subscription from line 7 on.
    static let subscriptions: [(members: String, line: Int, member: String, phrase: String)] = [
        (#""recurringSubscriptionPeriod" : "P1M""#, 5, "groupNumber", "is missing"),
        (#""groupNumber" : 0, "recurringSubscriptionPeriod" : "P1M""#, 7, "groupNumber", "1 is the highest"),
        (#""groupNumber" : "1", "recurringSubscriptionPeriod" : "P1M""#, 7, "groupNumber", "whole number"),
        (#""groupNumber" : 1.5, "recurringSubscriptionPeriod" : "P1M""#, 7, "groupNumber", "whole number"),
        (#""groupNumber" : 1"#, 5, "recurringSubscriptionPeriod", "is missing"),
        (
            #""groupNumber" : 1, "recurringSubscriptionPeriod" : "1 month""#, 7, "recurringSubscriptionPeriod",
            "ISO 8601"
        ),
        (#""groupNumber" : 1, "recurringSubscriptionPeriod" : "P0M""#, 7, "recurringSubscriptionPeriod", "ISO 8601"),
        (Self.usual + "\"subscriptionGroupID\" : \"other\"", 8, "subscriptionGroupID", "names group \"other\""),
        (Self.usual + "\"introductoryOffer\" : []", 8, "introductoryOffer", "must be an object"),
        (
            Self.usual + #""introductoryOffer" : { "paymentMode" : "trial", "subscriptionPeriod" : "P3D" }"#, 8,
            "introductoryOffer.paymentMode", "\"trial\" is no payment mode"
        ),
        (
            Self.usual + #""introductoryOffers" : [ { "paymentMode" : "free" } ]"#, 8,
            "introductoryOffers[0].subscriptionPeriod", "is missing"
        ),
        (
            Self.usual + #""adHocOffers" : [ { "paymentMode" : "free", "subscriptionPeriod" : "P3D" } ]"#, 8,
            "adHocOffers[0].offerID", "is missing"
        ),
        (
            Self.usual + #""codeOffers" : [ { "paymentMode" : "free", "subscriptionPeriod" : "P3D" } ]"#, 8,
            "codeOffers[0].referenceName", "is missing"
        ),
        (
            Self.usual
                + #""winbackOffers" : [ { "offerID" : "b", "paymentMode" : "free", "numberOfPeriods" : 0,"#
                + #""subscriptionPeriod" : "P1M" } ]"#,
            8, "winbackOffers[0].numberOfPeriods", "whole number from 1"
        ),
        (
            Self.usual
                + #""adHocOffers" : [ { "offerID" : "b", "paymentMode" : "free", "subscriptionPeriod" : "P1M" },"#
                + "\n" + #"{ "offerID" : "b", "paymentMode" : "free", "subscriptionPeriod" : "P2M" } ]"#, 9,
            "adHocOffers[1]", "stands twice"
        ),
        (Self.usual + #""billingPlans" : [ {} ]"#, 8, "billingPlans[0].billingPlanType", "is missing"),
        (Self.usual + #""billingPlans" : "MONTHLY""#, 8, "billingPlans", "must be an array"),
    ]

    private static let usual = "\"groupNumber\" : 1, \"recurringSubscriptionPeriod\" : \"P1M\",\n"

    @Test(arguments: documents)
    func faultsOfTheDocumentAreReportedWithTheirLine(fault: Fault) throws {
        try check(StoreKitSample.problems(fault.text), fault)
    }

    @Test(arguments: products)
    func faultsOfAProductAreReportedWithTheirLine(fault: Fault) throws {
        try check(StoreKitSample.problems(StoreKitSample.product(fault.text)), fault)
    }

    @Test(arguments: subscriptions.indices)
    func faultsOfASubscriptionAreReportedWithTheirLine(index: Int) throws {
        let (members, line, member, phrase) = Self.subscriptions[index]
        let fault = Fault(
            text: StoreKitSample.subscription(members),
            line: line,
            path: "subscriptionGroups[0].subscriptions[0].\(member)",
            phrase: phrase
        )
        try check(StoreKitSample.problems(fault.text), fault)
    }

    private func check(_ problems: [StoreKitProblem], _ fault: Fault) throws {
        let problem = try #require(problems.first)
        #expect(problems.count == 1, "\(problems)")
        #expect(problem.severity == fault.severity)
        #expect(problem.line == fault.line)
        #expect(problem.path == fault.path)
        #expect(problem.message.contains(fault.phrase), "\(problem)")
    }

    @Test func aGroupThatStandsTwiceAndAnEmptyOneAreReported() {
        let problems = StoreKitSample.problems(
            """
            { "version" : { "major" : 4, "minor" : 0 },
              "subscriptionGroups" : [
                { "id" : "1", "name" : "A", "subscriptions" : [] },
                { "id" : "1", "name" : "B", "subscriptions" : [] },
                { "id" : "2", "subscriptions" : [] }
              ] }
            """
        )
        #expect(
            problems.map(\.description) == [
                "warning: line 3: subscriptionGroups[0]: the group has no subscriptions",
                "warning: line 4: subscriptionGroups[1]: the group has no subscriptions",
                "line 4: subscriptionGroups[1].id: group \"1\" stands twice, first on line 3",
                "line 5: subscriptionGroups[2].name: is missing",
                "warning: line 5: subscriptionGroups[2]: the group has no subscriptions",
            ]
        )
    }

    /// Level, price, period of each subscription, and whether the levels look inverted.
    @Test(arguments: [
        ([(1, "9.99", "P1M"), (2, "4.99", "P1M")], false),
        ([(1, "4.99", "P1M"), (2, "9.99", "P1M")], true),
        ([(2, "9.99", "P1M"), (1, "4.99", "P1M")], true),
        ([(1, "4.99", "P1M"), (2, "49.99", "P1Y")], false),
        ([(1, "4.99", "P1M"), (1, "9.99", "P1M")], false),
        ([(1, "", "P1M"), (2, "9.99", "P1M")], false),
    ])
    func levelsThatLookInvertedAreAWarningOnly(plans: [(Int, String, String)], looksInverted: Bool) throws {
        let subscriptions = plans.enumerated().map { index, plan in
            """
            { "productID" : "p\(index)", "type" : "RecurringSubscription", "groupNumber" : \(plan.0),
              "displayPrice" : "\(plan.1)", "recurringSubscriptionPeriod" : "\(plan.2)" }
            """
        }
        let text = """
            { "version" : { "major" : 2, "minor" : 0 }, "subscriptionGroups" : [ { "id" : "1", "name" : "A",
              "subscriptions" : [ \(subscriptions.joined(separator: ",\n")) ] } ] }
            """
        let (configuration, warnings) = try StoreKitConfiguration.read(Array(text.utf8))
        #expect(configuration.groups[0].subscriptions.map(\.level) == plans.map(\.0))
        #expect(warnings.count { $0.message.contains("look inverted") } == (looksInverted ? 1 : 0))
        #expect(warnings.count == (looksInverted ? 1 : 0))
    }

    @Test func anUnusualPeriodIsAWarningOnly() throws {
        let problems = StoreKitSample.problems(
            StoreKitSample.subscription(#""groupNumber" : 1, "recurringSubscriptionPeriod" : "P30D""#)
        )
        #expect(problems.map(\.severity) == [.warning])
        #expect(problems.first?.message.contains("sells no period \"P30D\"") == true)
    }

    @Test func everyProblemOfAFileWrittenByHandIsReportedAtOnce() throws {
        let problems = StoreKitSample.problems(try StoreKitSample.bytes("handmade.storekit"))
        let last = "subscriptionGroups[0].subscriptions[2]."
        #expect(
            problems.map { "\($0.severity.rawValue) \($0.line) \($0.path)" } == [
                "error 4 products[0].productID",
                "error 5 products[1].type",
                "warning 5 products[1].displayPrice",
                "error 6 products[2].type",
                "error 7 products[3].type",
                "error 8 products[4].familyShareable",
                "error 9 products[5].productID",
                "error 11 subscriptions",
                "warning 22 subscriptionGroups[0].subscriptions[0].groupNumber",
                "error 33 \(last)productID",
                "error 36 \(last)groupNumber",
                "error 37 \(last)recurringSubscriptionPeriod",
                "error 38 \(last)subscriptionGroupID",
                "error 39 \(last)introductoryOffer.paymentMode",
                "error 39 \(last)introductoryOffer.subscriptionPeriod",
                "error 44 version",
            ]
        )
    }

    @Test func nothingElseIsSaidAboutAnUnknownVersion() throws {
        let text = #"{ "version" : { "major" : 9, "minor" : 0 }, "products" : [ 7 ], "subscriptions" : [] }"#
        #expect(StoreKitSample.problems(text).map(\.path) == ["version"])
    }
}
