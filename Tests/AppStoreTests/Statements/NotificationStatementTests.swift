import AppStore
import EntitlementDomain
import JSON
import Testing
import X509

struct NotificationStatementTests {
    let desk: SigningDesk
    let reader: StatementReader

    init() throws {
        desk = try SigningDesk.shared.get()
        reader = try desk.reader()
    }

    private func read(_ text: String) throws -> Statement {
        try reader.readNotification(signedPayload: text, now: SigningDesk.now)
    }

    private static let line = LineID(
        environment: .production,
        bundleID: "com.example.app",
        originalTransactionID: "1001"
    )

    @Test func aGenuineNotificationBecomesAStatement() throws {
        let text = try desk.notification()
        let statement = try read(text)
        #expect(statement.identity == .notification(try #require(NotificationID(SigningDesk.uuid))))
        #expect(statement.source == .notification)
        #expect(statement.environment == .production)
        #expect(statement.bundleID == "com.example.app")
        #expect(statement.line == Self.line)
        #expect(statement.notificationType == "SUBSCRIBED")
        #expect(statement.subtype == "INITIAL_BUY")
        #expect(statement.signedAt.milliseconds == SigningDesk.signedAt + 1000)
        #expect(statement.facts.namedType == .purchased)
        #expect(statement.facts.transaction?.transactionID == "1001")
        #expect(statement.facts.transaction?.signedAt.milliseconds == SigningDesk.signedAt)
        #expect(statement.facts.renewal?.autoRenews == true)
        #expect(statement.facts.renewal?.status == 1)
        #expect(statement.evidence == [Array(text.utf8)])
        #expect(statement.evidenceDigests == [SHA256.hash(Array(text.utf8))])
    }

    @Test func thePayloadHoldsTheDecodedPartsWithoutTheSignedTexts() throws {
        let statement = try read(
            try desk.notification(
                transaction: ["futureKey": [1, "x"]],
                data: ["status": 6, "futureDataKey": ["a": true]],
                envelope: ["futureKey": "y"]
            )
        )
        let expected: JSONValue = try JSONParser.parse(
            #"""
            {"notification":{"notificationType":"SUBSCRIBED","subtype":"INITIAL_BUY",
            "notificationUUID":"c0ffee00-1414-4a14-8b14-140000000001","version":"2.0","signedDate":1772323202000,
            "futureKey":"y","data":{"environment":"Production","appAppleId":1234567890,"bundleId":"com.example.app",
            "status":6,"futureDataKey":{"a":true}}},
            "transaction":{"transactionId":"1001","originalTransactionId":"1001","bundleId":"com.example.app",
            "productId":"pro.monthly","purchaseDate":1772323200000,"expiresDate":1775001600000,
            "type":"Auto-Renewable Subscription","environment":"Production","signedDate":1772323201000,
            "futureKey":[1,"x"]},
            "renewalInfo":{"originalTransactionId":"1001","productId":"pro.monthly","autoRenewProductId":"pro.monthly",
            "autoRenewStatus":1,"environment":"Production","signedDate":1772323201000}}
            """#
        )
        #expect(statement.payload == expected.canonicalBytes())
        #expect(statement.facts.renewal?.status == 6)
    }

    @Test func anEntryOfTheNotificationHistoryIsTheSameStatement() throws {
        let text = try desk.notification()
        let page = try reader.readNotification(signedPayload: text, source: .api, now: SigningDesk.now)
        #expect(page.source == .api)
        #expect(page.identity == (try read(text)).identity)
    }

    @Test(arguments: [JSONValue?.none, .some(""), .some("no-uuid"), .some(7)])
    func withoutAUUIDTheDigestOfThePayloadIsTheIdentity(uuid: JSONValue?) throws {
        let first = try read(try desk.notification(envelope: ["notificationUUID": uuid]))
        let second = try read(try desk.notification(envelope: ["notificationUUID": uuid, "x": 1]))
        #expect(first.identity.bytes.count == 32)
        #expect(first.identity != second.identity)
    }

    @Test func aUUIDIsComparedByValue() throws {
        let upper = try read(
            try desk.notification(envelope: ["notificationUUID": .string(SigningDesk.uuid.uppercased())])
        )
        let lower = try read(try desk.notification())
        #expect(upper.identity == lower.identity)
        #expect(
            upper.identity.bytes == [
                0xC0, 0xFF, 0xEE, 0x00, 0x14, 0x14, 0x4A, 0x14, 0x8B, 0x14, 0x14, 0x00, 0x00, 0x00, 0x00, 0x01,
            ]
        )
    }

    @Test func aFamilyMembersLineIsItsOwn() throws {
        let statement = try read(try desk.notification(transaction: ["inAppOwnershipType": "FAMILY_SHARED"]))
        #expect(statement.line?.ownership == .familyShared)
        #expect(statement.facts.transaction?.ownership == .familyShared)
    }

    @Test func aStatusWithoutRenewalInfoIsAFact() throws {
        let statement = try read(try desk.notification(renewalInfo: nil, data: ["status": 3]))
        let envelopeSignedAt = Instant(milliseconds: SigningDesk.signedAt + 1000)
        #expect(statement.facts.renewal == RenewalFacts(signedAt: envelopeSignedAt, status: 3))
        #expect(try read(try desk.notification(renewalInfo: nil, data: ["status": nil])).facts.renewal == nil)
    }

    @Test func aDataObjectWithoutPurchaseIsKept() throws {
        let statement = try read(
            try desk.notification(
                transaction: nil,
                renewalInfo: nil,
                data: ["status": nil],
                envelope: ["notificationType": "TEST", "subtype": nil]
            )
        )
        #expect(statement.facts == StatementFacts(namedType: .received))
        #expect(statement.line == nil)
        #expect(statement.notificationType == "TEST")
        #expect(statement.environment == .production)
    }

    @Test(arguments: [
        ("DID_CHANGE_RENEWAL_STATUS", EventType.autoRenewEnabled), ("DID_RENEW", .received), ("REFUND", .received),
    ])
    func aLabelThatTellsOfATransactionNeedsOne(type: String, expected: EventType) throws {
        let statement = try read(
            try desk.notification(transaction: nil, envelope: ["notificationType": .string(type), "subtype": nil])
        )
        #expect(statement.facts.namedType == expected)
        #expect(statement.facts.renewal?.autoRenews == true)
        #expect(statement.line == Self.line)
    }

    @Test func theTransactionInsideAnUnknownKindCounts() throws {
        let statement = try read(
            try desk.notification(envelope: ["notificationType": "FUTURE_THING", "subtype": "FUTURE_KIND"])
        )
        #expect(statement.facts.namedType == .received)
        #expect(statement.facts.transaction?.transactionID == "1001")
        #expect(statement.line == Self.line)
        #expect(statement.notificationType == "FUTURE_THING")
        #expect(statement.subtype == "FUTURE_KIND")
    }

    @Test func anEnvelopeOfAnUnknownShapeIsKept() throws {
        for body: JSONValue? in [nil, "x"] {
            let text = try desk.sign(desk.envelope(nil, ["data": body, "futureBody": ["bundleId": "com.foreign"]]))
            let statement = try read(text)
            #expect(statement.facts == StatementFacts(namedType: .received))
            #expect(statement.line == nil)
            #expect(statement.environment.rawValue == "")
            #expect(statement.bundleID == "")
            #expect(statement.identity.bytes.count == 16)
            #expect(statement.signedAt.milliseconds == SigningDesk.signedAt + 1000)
        }
    }

    @Test func aPartThatNamesNoAppTakesTheEnvelopes() throws {
        let statement = try read(
            try desk.notification(
                transaction: ["bundleId": nil, "environment": nil, "signedDate": nil],
                renewalInfo: ["environment": nil, "originalTransactionId": nil]
            )
        )
        #expect(statement.line == Self.line)
        #expect(statement.facts.namedType == .purchased)
        #expect(statement.facts.transaction?.signedAt.milliseconds == SigningDesk.signedAt + 1000)
        #expect(statement.facts.renewal?.autoRenews == true)
    }

    @Test func anEnvelopeThatNamesNoAppTakesTheTransactions() throws {
        let statement = try read(try desk.notification(data: ["bundleId": nil, "environment": nil]))
        #expect(statement.line == Self.line)
        #expect(statement.facts.namedType == .purchased)
        let foreign = try desk.notification(transaction: ["bundleId": "com.foreign"], data: ["bundleId": nil])
        #expect(try refusal { try read(foreign) } == .wrongBundle)
        let nobody = try desk.notification(transaction: ["bundleId": nil], data: ["bundleId": nil])
        #expect(try refusal { try read(nobody) } == .wrongBundle)
    }

    @Test func theRenewalInfoNamesTheLineOfATransactionThatDoesNot() throws {
        let statement = try read(
            try desk.notification(transaction: ["transactionId": "1002", "originalTransactionId": 1001])
        )
        #expect(statement.line == Self.line)
        #expect(statement.facts.transaction?.originalTransactionID == "1001")
        #expect(statement.facts.transaction?.transactionID == "1002")
    }
}
