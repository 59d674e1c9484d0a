import AppStore
import EntitlementDomain
import JSON
import Testing

struct NotificationPayloadTests {
    @Test func theEnvelopeAndItsDataAreRead() throws {
        let payload = NotificationPayload(
            try object(
                #"""
                {"notificationType":"CONSUMPTION_REQUEST","subtype":"FUTURE","version":"2.0",
                "notificationUUID":"C0FFEE00-1414-4a14-8b14-140000000001","signedDate":1772323201000,
                "data":{"environment":"Sandbox","appAppleId":1234567890123,"bundleId":"com.example.app",
                "bundleVersion":"7","signedTransactionInfo":"a.b.c","signedRenewalInfo":"d.e.f","status":6,
                "consumptionRequestReason":"LEGAL","futureKey":1}}
                """#
            )
        )
        #expect(payload.type == .consumptionRequest)
        #expect(payload.subtype == NotificationSubtype(rawValue: "FUTURE"))
        #expect(payload.uuidText == "C0FFEE00-1414-4a14-8b14-140000000001")
        #expect(payload.version == "2.0")
        #expect(payload.signedAt?.milliseconds == 1_772_323_201_000)
        let data = try #require(payload.data)
        #expect(data.environment == .sandbox)
        #expect(data.appAppleID == 1_234_567_890_123)
        #expect(data.bundleID == "com.example.app")
        #expect(data.bundleVersion == "7")
        #expect(data.signedTransactionInfo == "a.b.c")
        #expect(data.signedRenewalInfo == "d.e.f")
        #expect(data.status == SubscriptionStatus(rawValue: 6))
        #expect(data.status?.isKnown == false)
        #expect(data.consumptionRequestReason == .legal)
        #expect(data.raw["futureKey"] == 1)
        #expect(payload.unreadable == [])
    }

    @Test func aSummaryIsRead() throws {
        let payload = NotificationPayload(
            try object(
                #"""
                {"summary":{"environment":"Production","appAppleId":1234567890,"bundleId":"com.example.app",
                "productId":"pro.monthly","requestIdentifier":"c0ffee00-1414-4a14-8b14-140000000002",
                "storefrontCountryCodes":["USA","CAN"],"succeededCount":5000000000,"failedCount":1}}
                """#
            )
        )
        let summary = try #require(payload.summary)
        #expect(summary.environment == .production)
        #expect(summary.appAppleID == 1_234_567_890)
        #expect(summary.bundleID == "com.example.app")
        #expect(summary.productID == "pro.monthly")
        #expect(summary.requestID == "c0ffee00-1414-4a14-8b14-140000000002")
        #expect(summary.storefrontCountryCodes == ["USA", "CAN"])
        #expect(summary.succeededCount == 5_000_000_000)
        #expect(summary.failedCount == 1)
    }

    @Test(arguments: [
        ("SANDBOX-c0ffee", StoreEnvironment.sandbox), ("c0ffee-SANDBOX", .production), ("sandbox1", .production),
    ])
    func anExternalPurchaseTokenTellsItsEnvironmentByItsID(id: String, expected: StoreEnvironment) throws {
        let payload = NotificationPayload(
            try object(
                #"""
                {"externalPurchaseToken":{"externalPurchaseId":"\#(id)","tokenCreationDate":1773187200000,
                "tokenExpirationDate":1773187300000,"tokenType":"ACQUISITION","appAppleId":1,"bundleId":"com.example.app"}}
                """#
            )
        )
        let token = try #require(payload.externalPurchaseToken)
        #expect(token.environment == expected)
        #expect(token.externalPurchaseID == id)
        #expect(token.tokenCreatedAt?.milliseconds == 1_773_187_200_000)
        #expect(token.tokenExpiresAt?.milliseconds == 1_773_187_300_000)
        #expect(token.tokenType == "ACQUISITION")
        #expect(token.appAppleID == 1)
        #expect(token.bundleID == "com.example.app")
    }

    @Test func appDataIsRead() throws {
        let payload = NotificationPayload(
            try object(
                #"""
                {"appData":{"appAppleId":1,"bundleId":"com.example.app","environment":"Production",
                "signedAppTransactionInfo":"a.b.c"}}
                """#
            )
        )
        let appData = try #require(payload.appData)
        #expect(appData.appAppleID == 1)
        #expect(appData.bundleID == "com.example.app")
        #expect(appData.environment == .production)
        #expect(appData.signedAppTransactionInfo == "a.b.c")
    }

    @Test func bodiesOfTheWrongKindAreAbsent() throws {
        let payload = NotificationPayload(try object(#"{"data":"x","summary":[],"appData":null,"signedDate":"x"}"#))
        #expect(payload.data == nil)
        #expect(payload.summary == nil)
        #expect(payload.appData == nil)
        #expect(Set(payload.unreadable) == ["data", "summary", "signedDate"])
    }
}
