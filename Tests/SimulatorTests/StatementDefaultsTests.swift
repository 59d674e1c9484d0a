import EntitlementDomain
import JSON
import Testing

@testable import Simulator

@Suite struct StatementDefaultsTests {
    private let march = JSONValue(1_772_323_200_000)

    @Test func aTransactionGetsEveryDefault() throws {
        let notification = try Fixtures.notification(
            """
            { "notificationType": "SUBSCRIBED", "transaction":
              { "transactionId": "1001", "productId": "pro.monthly", "purchaseDate": "2026-03-01T00:00:00Z" } }
            """
        )
        #expect(
            notification.data?.transaction.map(JSONValue.object) == [
                "transactionId": "1001",
                "originalTransactionId": "1001",
                "bundleId": "com.example.app",
                "productId": "pro.monthly",
                "subscriptionGroupIdentifier": "plans",
                "purchaseDate": march,
                "originalPurchaseDate": march,
                "quantity": 1,
                "type": "Auto-Renewable Subscription",
                "inAppOwnershipType": "PURCHASED",
                "transactionReason": "PURCHASE",
                "environment": "Production",
                "signedDate": march,
            ]
        )
        #expect(notification.data?.renewalInfo == nil)
    }

    @Test func whatIsGivenStaysAndNullLeavesADefaultOut() throws {
        let notification = try Fixtures.notification(
            """
            { "notificationType": "DID_RENEW", "transaction":
              { "transactionId": "1002", "originalTransactionId": "1001", "productId": "coins.100",
                "purchaseDate": 1.5, "expiresDate": "2026-03-01T02:00:00+02:00", "quantity": 3, "type": null,
                "transactionReason": "RENEWAL", "environment": "Sandbox", "bundleId": null, "signedDate": null,
                "appAccountToken": "U1", "isUpgraded": true, "inAppOwnershipType": "FAMILY_SHARED",
                "originalPurchaseDate": true, "webOrderLineItemId": 7 } }
            """
        )
        #expect(
            notification.data?.transaction.map(JSONValue.object) == [
                "transactionId": "1002",
                "originalTransactionId": "1001",
                "productId": "coins.100",
                "purchaseDate": 1.5,
                "expiresDate": march,
                "quantity": 3,
                "transactionReason": "RENEWAL",
                "environment": "Sandbox",
                "appAccountToken": "11111111-1111-4111-8111-111111111111",
                "isUpgraded": true,
                "inAppOwnershipType": "FAMILY_SHARED",
                "originalPurchaseDate": true,
                "webOrderLineItemId": 7,
            ]
        )
    }

    @Test func datesInsideNestedObjectsAreMillisecondsToo() throws {
        let notification = try Fixtures.notification(
            """
            { "notificationType": "DID_RENEW", "transaction": { "transactionId": "1",
              "commitmentInfo": { "commitmentExpiresDate": "2026-03-01T00:00:00Z", "n": ["2026-03-01T00:00:00Z"] },
              "advancedCommerceInfo": { "items": [ { "revocationDate": "2026-03-01" } ] } } }
            """
        )
        let transaction = try #require(notification.data?.transaction)
        #expect(
            transaction["commitmentInfo"] == ["commitmentExpiresDate": march, "n": ["2026-03-01T00:00:00Z"]]
        )
        #expect(transaction["advancedCommerceInfo"] == ["items": [["revocationDate": march]]])
    }

    @Test func aRenewalInfoTakesItsDefaultsFromTheTransactionAndTheNotification() throws {
        let notification = try Fixtures.notification(
            """
            { "notificationType": "DID_RENEW", "environment": "Sandbox", "signedDate": "2026-03-02T00:00:00Z",
              "transaction": { "transactionId": "2", "originalTransactionId": "1", "productId": "pro.monthly" },
              "renewalInfo": { "gracePeriodExpiresDate": "2026-03-01T00:00:00Z" } }
            """
        )
        #expect(
            notification.data?.renewalInfo.map(JSONValue.object) == [
                "originalTransactionId": "1",
                "productId": "pro.monthly",
                "autoRenewProductId": "pro.monthly",
                "autoRenewStatus": 1,
                "environment": "Sandbox",
                "signedDate": 1_772_409_600_000,
                "gracePeriodExpiresDate": march,
            ]
        )
        #expect(notification.data?.transaction?["environment"] == "Sandbox")
        #expect(notification.data?.transaction?["signedDate"] == 1_772_409_600_000)
    }

    @Test func anEmptyRenewalInfoIsOneAndAnAbsentOrNullOneIsNone() throws {
        for (text, isThere) in [(#","renewalInfo":{}"#, true), (#","renewalInfo":null"#, false), ("", false)] {
            let notification = try Fixtures.notification(
                #"{"notificationType":"DID_RENEW","transaction":{"transactionId":"1"}\#(text)}"#
            )
            #expect((notification.data?.renewalInfo != nil) == isThere)
        }
    }

    @Test func aNotificationGetsEveryDefault() throws {
        let notification = try Fixtures.notification(
            #"{"notificationType":"SUBSCRIBED","subtype":"INITIAL_BUY","status":1,"transaction":{"transactionId":"1"}}"#
        )
        let payload = notification.payload(signedTransaction: "t", signedRenewalInfo: nil)
        #expect(
            JSONValue.object(payload) == [
                "notificationType": "SUBSCRIBED",
                "subtype": "INITIAL_BUY",
                "notificationUUID": .string(NotificationUUID.derived(fileName: "story.json", deliveryID: "d1")),
                "data": [
                    "environment": "Production",
                    "appAppleId": 1_234_567_890,
                    "bundleId": "com.example.app",
                    "status": 1,
                    "signedTransactionInfo": "t",
                ],
                "version": "2.0",
                "signedDate": march,
            ]
        )
    }

    @Test func nullDropsADefaultOfTheNotification() throws {
        let notification = try Fixtures.notification(
            """
            { "notificationType": "TEST", "notificationUUID": null, "signedDate": null, "environment": null,
              "bundleId": null, "appAppleId": null, "transaction": { "transactionId": "1" } }
            """
        )
        let payload = notification.payload(signedTransaction: nil, signedRenewalInfo: nil)
        #expect(JSONValue.object(payload) == ["notificationType": "TEST", "data": [:], "version": "2.0"])
        let transaction = notification.data?.transaction
        #expect(transaction?["environment"] == nil)
        #expect(transaction?["bundleId"] == nil)
        #expect(transaction?["signedDate"] == nil)
    }

    @Test func rawIsMergedLastAndUnchecked() throws {
        let notification = try Fixtures.notification(
            """
            { "notificationType": "FUTURE", "transaction": { "transactionId": "1", "purchaseDate": "2026-03-01" },
              "transactionRaw": { "transactionId": 1, "purchaseDate": "2026-03-01", "appAccountToken": "U1" },
              "renewalInfo": { "a": { "b": 1, "c": 2 } },
              "renewalInfoRaw": { "a": { "b": 3 }, "autoRenewStatus": null },
              "dataRaw": { "status": "5", "bundleVersion": "1" },
              "raw": { "version": 3, "future": ["x"], "data": { "environment": "Moon" }, "signedDate": "yesterday" } }
            """
        )
        let transaction = try #require(notification.data?.transaction)
        #expect(transaction["transactionId"] == 1)
        #expect(transaction["originalTransactionId"] == "1")
        #expect(transaction["purchaseDate"] == "2026-03-01")
        #expect(transaction["originalPurchaseDate"] == march)
        #expect(transaction["appAccountToken"] == "U1")
        #expect(notification.data?.renewalInfo?["a"] == ["b": 3, "c": 2])
        #expect(notification.data?.renewalInfo?["autoRenewStatus"] == JSONValue.null)
        let payload = notification.payload(signedTransaction: "t", signedRenewalInfo: "r")
        #expect(payload["version"] == 3)
        #expect(payload["future"] == ["x"])
        #expect(payload["signedDate"] == "yesterday")
        #expect(payload["data"]?["environment"] == "Moon")
        #expect(payload["data"]?["status"] == "5")
        #expect(payload["data"]?["bundleVersion"] == "1")
        #expect(payload["data"]?["signedTransactionInfo"] == "t")
        #expect(payload["data"]?["signedRenewalInfo"] == "r")
    }

    @Test func aNotificationWithoutDataHasOnlyItsEnvelopeAndTheRawBody() throws {
        let notification = try Fixtures.notification(
            #"{"notificationType":"RENEWAL_EXTENSION","data":null,"raw":{"summary":{"failedCount":1}}}"#
        )
        let payload = notification.payload(signedTransaction: nil, signedRenewalInfo: nil)
        #expect(payload.keys == ["notificationType", "notificationUUID", "version", "signedDate", "summary"])
        #expect(payload["summary"] == ["failedCount": 1])
    }

    @Test func anUploadIsOfProductionUnlessItsTransactionSaysElse() throws {
        let delivery = try Fixtures.delivery(
            """
            { "id": "d1", "at": "2026-03-01T00:00:00Z", "upload": { "account": "U2",
              "transaction": { "transactionId": "1", "environment": "Sandbox" }, "renewalInfo": {} } }
            """
        )
        guard case .upload(let upload) = delivery.content else { preconditionFailure("it is an upload") }
        #expect(upload.account == AccountNames.account(named: "U2"))
        #expect(upload.transaction["environment"] == "Sandbox")
        #expect(upload.transaction["signedDate"] == march)
        #expect(upload.renewalInfo?["environment"] == "Sandbox")
    }

    @Test func theDefaultNotificationUUIDFollowsFromFileAndDelivery() {
        let uuid = NotificationUUID.derived(fileName: "a.json", deliveryID: "d1")
        #expect(uuid == NotificationUUID.derived(fileName: "a.json", deliveryID: "d1"))
        #expect(uuid != NotificationUUID.derived(fileName: "a.json", deliveryID: "d2"))
        #expect(uuid != NotificationUUID.derived(fileName: "b.json", deliveryID: "d1"))
        #expect(AccountID(uuid)?.description == uuid)
        #expect(Array(uuid)[14] == "8")
        #expect("89ab".contains(Array(uuid)[19]))
    }
}
