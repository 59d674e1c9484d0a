import AppStore
import EntitlementDomain
import JSON
import Testing
import X509

@Suite struct ReceiptServiceTests {
    private let desk: ReceiptDesk

    init() throws { desk = try ReceiptDesk() }

    private static let text = "cmVjZWlwdA=="

    private static func ask(_ transport: ScriptedTransport) async throws(ReceiptServiceError) -> ReceiptServiceAnswer {
        let service = ReceiptService(transport: transport, sharedSecret: "secret", pause: {})
        return try await service.verify(text, now: ReceiptDesk.now)
    }

    private static func status(_ code: Int64, retryable: JSONValue? = nil) -> ServerAPIReply {
        var object: JSONObject = ["status": JSONValue(code)]
        if let retryable { object["is-retryable"] = retryable }
        return .json(.object(object))
    }

    /// An answer as it is documented: all values are text.
    private static func answer(
        environment: String = "Production",
        status: Int64 = 0,
        inApp: [JSONValue] = [],
        latest: [JSONValue] = [],
        pending: [JSONValue] = []
    ) -> JSONValue {
        [
            "status": JSONValue(status), "environment": .string(environment), "latest_receipt": "c2VjcmV0",
            "receipt": [
                "receipt_type": .string(environment), "adam_id": 1_234_567_890, "bundle_id": "com.example.app",
                "application_version": "42", "original_application_version": "7",
                "receipt_creation_date_ms": "1773532800000", "request_date_ms": "1773964800000",
                "original_purchase_date_ms": "1714550400000", "in_app": .array(inApp),
            ],
            "latest_receipt_info": .array(latest), "pending_renewal_info": .array(pending),
        ]
    }

    private static func item(_ id: String, _ changes: [String: JSONValue] = [:]) -> JSONValue {
        var object: JSONObject = [
            "quantity": "1", "product_id": "pro.monthly", "transaction_id": .string(id),
            "original_transaction_id": "1001", "purchase_date": "2026-03-01 00:00:00 Etc/GMT",
            "purchase_date_ms": "1772323200000", "original_purchase_date_ms": "1772323200000",
            "expires_date_ms": "1775001600000", "web_order_line_item_id": "9001", "is_trial_period": "false",
            "is_in_intro_offer_period": "false",
        ]
        for (key, value) in changes { object[key] = value }
        return .object(object)
    }

    private func reading(_ answer: JSONValue) async throws -> ReceiptReading {
        let answer = try await Self.ask(ScriptedTransport(.json(answer)))
        return try desk.reader().read(answer, of: Self.text, now: ReceiptDesk.now)
    }

    @Test func productionIsAskedFirstAndSendsToTheSandbox() async throws {
        let transport = ScriptedTransport(Self.status(21_007), .json(Self.answer(environment: "Sandbox")))
        let answer = try await Self.ask(transport)
        let reading = try desk.reader().read(answer, of: Self.text, now: ReceiptDesk.now)
        #expect(reading.environment == .sandbox)
        #expect(
            transport.calls.map(\.url) == [
                "https://buy.itunes.apple.com/verifyReceipt", "https://sandbox.itunes.apple.com/verifyReceipt",
            ]
        )
        let body = try JSONParser.parse(try #require(transport.calls[1].body))
        #expect(body == ["receipt-data": "cmVjZWlwdA==", "password": "secret", "exclude-old-transactions": false])
    }

    @Test func theSandboxSendsBackAndNobodyIsAskedForEver() async throws {
        let transport = ScriptedTransport(Self.status(21_007), Self.status(21_008), .json(Self.answer()))
        let answer = try await Self.ask(transport)
        let reading = try desk.reader().read(answer, of: Self.text, now: ReceiptDesk.now)
        #expect(reading.environment == .production)
        let circle = ScriptedTransport(Self.status(21_007), Self.status(21_008), Self.status(21_007))
        await #expect(throws: ReceiptServiceError.refused(ReceiptServiceStatus(21_007))) { try await Self.ask(circle) }
        #expect(circle.calls.count == 3)
    }

    @Test(
        arguments: [
            (21_000, ReceiptServiceStatus.Kind.notAPost, false), (21_001, .retired, false), (21_002, .malformed, true),
            (21_003, .notAuthentic, false), (21_004, .wrongSecret, false), (21_005, .unavailable, true),
            (21_009, .internalFault, true), (21_010, .unknownAccount, false), (21_100, .internalFault, false),
            (21_199, .internalFault, false), (21_200, .unknown, false), (-1, .unknown, false),
        ] as [(Int64, ReceiptServiceStatus.Kind, Bool)]
    )
    func everyStatusIsTyped(code: Int64, kind: ReceiptServiceStatus.Kind, isRetryable: Bool) async throws {
        let transport = ScriptedTransport(Self.status(code))
        let error = await #expect(throws: ReceiptServiceError.self) { try await Self.ask(transport) }
        #expect(error == .refused(ReceiptServiceStatus(code)))
        #expect(ReceiptServiceStatus(code).kind == kind)
        #expect(error?.isRetryable == isRetryable)
        #expect(transport.calls.count == (isRetryable ? 2 : 1))
        #expect(error?.description.contains(String(code)) == true)
    }

    @Test(arguments: [JSONValue.bool(true), "true", "1"])
    func theAnswerMaySayItselfThatItPasses(retryable: JSONValue) async throws {
        let transport = ScriptedTransport(Self.status(21_150, retryable: retryable), .json(Self.answer()))
        _ = try await Self.ask(transport)
        #expect(transport.calls.count == 2)
    }

    @Test func aSecondTryHelps() async throws {
        let transport = ScriptedTransport([
            .failure(.unreachable("no route")), .success(.json(Self.answer())),
        ])
        _ = try await Self.ask(transport)
        let down = ScriptedTransport(ServerAPIReply(status: 503))
        let error = await #expect(throws: ReceiptServiceError.self) { try await Self.ask(down) }
        #expect(error?.isRetryable == true)
        #expect(down.calls.count == 2)
    }

    @Test(
        arguments: [
            ServerAPIReply(status: 404), ServerAPIReply(status: 200, body: Array("<html>".utf8)), .json([]),
            .json([:]), .json(["status": "x"]), .json(["status": 0]), .json(["status": 0, "receipt": []]),
        ]
    )
    func anAnswerOfAnotherFormIsRefused(reply: ServerAPIReply) async throws {
        let error = await #expect(throws: ReceiptServiceError.self) { try await Self.ask(ScriptedTransport(reply)) }
        guard case .malformedAnswer? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func whatIsCurrentIsRankedByTheQuestionAndTheRestByTheReceipt() async throws {
        let refund: [String: JSONValue] = ["cancellation_date_ms": "1773100800000", "cancellation_reason": "1"]
        let reading = try await reading(
            Self.answer(
                inApp: [Self.item("1001"), Self.item("1003", ["original_transaction_id": "1003"])],
                latest: [
                    Self.item(
                        "1001",
                        refund.merging([
                            "in_app_ownership_type": "FAMILY_SHARED", "subscription_group_identifier": "20001",
                            "app_account_token": "11111111-1111-4111-8111-111111111111",
                            "offer_code_ref_name": "spring", "is_trial_period": "true",
                        ]) { $1 }
                    )
                ],
                pending: [
                    [
                        "original_transaction_id": "1001", "product_id": "pro.monthly",
                        "auto_renew_product_id": "max.monthly", "auto_renew_status": "1",
                        "is_in_billing_retry_period": "1", "grace_period_expires_date_ms": "1775433600000",
                        "expiration_intent": "2", "price_consent_status": "0",
                    ]
                ]
            )
        )
        #expect(reading.statements.count == 2)
        let family = try #require(reading.statements.first { $0.facts.transaction?.transactionID == "1001" })
        let own = try #require(reading.statements.first { $0.facts.transaction?.transactionID == "1003" })
        let facts = try #require(family.facts.transaction)
        #expect(facts.signedAt == Instant(milliseconds: 1_773_964_800_000))
        #expect(family.line?.ownership == .familyShared)
        #expect(facts.revokedAt == Instant(milliseconds: 1_773_100_800_000))
        #expect(facts.revocationReason == 1)
        #expect(facts.subscriptionGroupID == "20001")
        #expect(facts.appAccountToken == AccountID("11111111-1111-4111-8111-111111111111"))
        #expect(facts.offer == Offer(type: 3, identifier: "spring", discountType: "FREE_TRIAL"))
        #expect(facts.isFromReceipt)
        #expect(own.facts.transaction?.signedAt == Instant(milliseconds: 1_773_532_800_000))
        #expect(own.facts.renewal == nil)
        let renewal = try #require(family.facts.renewal)
        #expect(
            renewal
                == RenewalFacts(
                    signedAt: Instant(milliseconds: 1_773_964_800_000),
                    autoRenews: true,
                    productID: "pro.monthly",
                    autoRenewProductID: "max.monthly",
                    isInBillingRetry: true,
                    gracePeriodExpiresAt: Instant(milliseconds: 1_775_433_600_000),
                    expirationIntent: 2,
                    priceIncreaseStatus: 0,
                    saysGracePeriod: true
                )
        )
        let payload = try JSONParser.parse(family.payload)
        #expect(payload["receipt"]?["via"]?.stringValue == "verifyReceipt")
        #expect(!String(decoding: family.payload, as: UTF8.self).contains("c2VjcmV0"))
    }

    @Test func anUpgradeIsNoRefundHereEither() async throws {
        let reading = try await reading(
            Self.answer(latest: [Self.item("1001", ["cancellation_date_ms": "1773100800000", "is_upgraded": "true"])])
        )
        let facts = try #require(reading.statements[0].facts.transaction)
        #expect(facts.isUpgraded)
        #expect(facts.revokedAt == nil)
    }

    @Test func aReceiptOfOneTransactionIsRead() async throws {
        // As iOS 6 made it; the subscription in it is over.
        let answer: JSONValue = [
            "status": 21_006,
            "receipt": [
                "bid": "com.example.app", "bvrs": "1.0", "product_id": "pro.monthly", "transaction_id": "1001",
                "original_transaction_id": "1001", "purchase_date_ms": "1380000000000", "quantity": "1",
                "original_purchase_date_ms": "1380000000000", "expires_date": "1382592000000",
            ],
            "latest_expired_receipt_info": [
                "product_id": "pro.monthly", "transaction_id": "1002", "original_transaction_id": "1001",
                "purchase_date_ms": "1382592000000", "expires_date": "1385270400000", "quantity": "1",
            ],
        ]
        let reading = try await reading(answer)
        #expect(reading.statements.compactMap(\.facts.transaction?.transactionID) == ["1001", "1002"])
        #expect(
            reading.statements.compactMap(\.facts.transaction?.expiresAt)
                == [Instant(milliseconds: 1_382_592_000_000), Instant(milliseconds: 1_385_270_400_000)]
        )
        #expect(reading.statements[0].signedAt == Instant(milliseconds: 1_380_000_000_000))
        #expect(reading.statements[1].signedAt == ReceiptDesk.now)
    }

    @Test func whatIsNotOursIsRefusedHereToo() async throws {
        var foreign = Self.answer()
        if case .object(var object) = foreign, var receipt = object["receipt"]?.objectValue {
            receipt["bundle_id"] = "com.foreign.app"
            object["receipt"] = .object(receipt)
            foreign = .object(object)
        }
        let answer = try await Self.ask(ScriptedTransport(.json(foreign)))
        let error = #expect(throws: StatementError.self) {
            try desk.reader().read(answer, of: Self.text, now: ReceiptDesk.now)
        }
        #expect(error?.reason == .wrongBundle)
    }

    @Test func onlyWhatCannotBeJudgedHereIsAskedAbout() {
        func isUndecided(_ reason: StatementError.Reason, _ text: String = Self.text) -> Bool {
            ReceiptReader.isUndecided(StatementError(reason, ""), of: text)
        }
        #expect(isUndecided(.malformedStatement))
        #expect(isUndecided(.invalidChain))
        #expect(isUndecided(.certificateExpired))
        #expect(!isUndecided(.invalidSignature))
        #expect(!isUndecided(.wrongBundle))
        #expect(!isUndecided(.wrongEnvironment))
        #expect(!isUndecided(.malformedStatement, "no base64!"))
        #expect(!isUndecided(.malformedStatement, ""))
    }
}
