import AppStore
import EntitlementDomain
import JSON
import Testing

struct AppTransactionPayloadTests {
    @Test func everyMemberIsRead() throws {
        let payload = AppTransactionPayload(
            try object(
                #"""
                {"receiptType":"Production","appAppleId":1234567890,"bundleId":"com.example.app",
                "applicationVersion":"7.1","versionExternalIdentifier":855555555,"receiptCreationDate":1772323201000,
                "originalPurchaseDate":1600000000000,"originalApplicationVersion":"1.0","preorderDate":1599999999000,
                "appTransactionId":"700000001","originalPlatform":"macOS","deviceVerification":"AAAA",
                "deviceVerificationNonce":"c0ffee00-1414-4a14-8b14-140000000003"}
                """#
            )
        )
        #expect(payload.unreadable == [])
        #expect(payload.environment == .production)
        #expect(payload.appAppleID == 1_234_567_890)
        #expect(payload.bundleID == "com.example.app")
        #expect(payload.applicationVersion == "7.1")
        #expect(payload.versionExternalID == 855_555_555)
        #expect(payload.signedAt?.milliseconds == 1_772_323_201_000)
        #expect(payload.originalPurchasedAt?.milliseconds == 1_600_000_000_000)
        #expect(payload.originalApplicationVersion == "1.0")
        #expect(payload.preorderedAt?.milliseconds == 1_599_999_999_000)
        #expect(payload.appTransactionID == "700000001")
        #expect(payload.originalPlatform == .macOS)
        #expect(payload.deviceVerification == "AAAA")
        #expect(payload.deviceVerificationNonce == "c0ffee00-1414-4a14-8b14-140000000003")
    }

    @Test func xcodesFractionsAndTimesBeforeTheYearOneDoNoHarm() throws {
        let payload = AppTransactionPayload(
            try object(
                #"""
                {"receiptType":"Xcode","bundleId":"com.example.app","receiptCreationDate":1697679936056.485,
                "requestDate":1697679936056.485,"originalPurchaseDate":-62135769600000,"applicationVersion":"1"}
                """#
            )
        )
        #expect(payload.environment == .xcode)
        #expect(payload.signedAt?.milliseconds == 1_697_679_936_056)
        #expect(payload.requestedAt?.milliseconds == 1_697_679_936_056)
        #expect(payload.originalPurchasedAt == nil)
        #expect(payload.unreadable == ["originalPurchaseDate"])
    }
}
