import AppStore
import EntitlementDomain
import JSON
import Simulator
import Testing
import X509

@Suite struct ReceiptsSubmitTests {
    private static let method = "receipts.submit"

    private static func receipt(_ purchases: ReceiptPurchase..., created: String = "2026-03-15T00:00:00Z") -> AppReceipt
    {
        var receipt = AppReceipt()
        receipt.receiptType = "Production"
        receipt.appAppleID = 1_234_567_890
        receipt.bundleID = "com.example.app"
        receipt.originalApplicationVersion = "7"
        receipt.createdAt = Samples.date(created)
        receipt.purchases = purchases
        return receipt
    }

    private static func purchase(
        _ id: String,
        _ product: String = "pro.monthly",
        of line: String? = nil,
        from start: String = "2026-03-01T00:00:00Z",
        to end: String? = "2026-04-01T00:00:00Z",
        canceled: String? = nil
    ) -> ReceiptPurchase {
        var purchase = ReceiptPurchase(
            transactionID: id,
            originalTransactionID: line ?? id,
            productID: product,
            purchasedAt: Samples.date(start)
        )
        purchase.expiresAt = end.map(Samples.date)
        purchase.canceledAt = canceled.map(Samples.date)
        return purchase
    }

    private func submit(
        _ receipt: AppReceipt,
        to service: TestService,
        account: String? = Samples.account
    ) async throws -> JSONValue {
        let text = try TestService.signing.get().appStore.receiptSigner().sign(receipt)
        var params: JSONObject = ["receipt": .string(text)]
        if let account { params["account"] = .string(account) }
        return try await service.call(Self.method, .object(params))
    }

    private func types(_ service: TestService, _ line: String) async throws -> [String?] {
        let page = try await service.call("events.list", ["originalTransactionId": .string(line)])
        return page["events"]?.arrayValue?.map { $0["type"]?.stringValue } ?? []
    }

    @Test(
        arguments: [
            BadParameters(method, [:], names: "receipt"),
            BadParameters(method, ["receipt": 1], names: "receipt"),
            BadParameters(method, ["receipt": ""], names: "receipt"),
            BadParameters(method, ["receipt": "AAAA", "account": "me"], names: "account"),
            BadParameters(method, ["receipt": "AAAA", "password": "x"], names: "password"),
        ]
    )
    func badParametersAreNamed(_ bad: BadParameters) async throws {
        try await bad.check()
    }

    @Test func aReceiptGivesWhatItsPurchasesGrantOnce() async throws {
        let service = try await TestService.make(now: "2026-03-16T00:00:00Z")
        let receipt = Self.receipt(
            Self.purchase("31002", of: "31001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z"),
            Self.purchase("31001", from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z"),
            Self.purchase("31003", "coins.100", to: nil)
        )
        let answer = try await submit(receipt, to: service)
        #expect(answer["account"]?.stringValue == Samples.account)
        #expect(answer["entitlements"]?.arrayValue?.map { $0["entitlement"] } == ["pro"])
        #expect(answer["entitlements"]?.arrayValue?[0]["expiresAt"]?.stringValue == "2026-04-01T00:00:00.000Z")
        #expect(answer["balances"]?["coins"]?.int64Value == 100)
        #expect(
            answer["receipt"] == [
                "bundleId": "com.example.app", "receiptCreationDate": "2026-03-15T00:00:00.000Z",
                "originalApplicationVersion": "7", "transactions": 3, "ownedByOthers": [],
            ]
        )
        #expect(try await types(service, "31001") == ["Purchased", "AccountLinked", "Renewed"])
        let page = try await service.call("events.list", ["originalTransactionId": "31001"])
        #expect(page["events"]?.arrayValue?.allSatisfy { $0["source"] == "receipt" } == true)
        // Again: nothing new. In a newer receipt: confirmed.
        let position = answer["position"]
        #expect(try await submit(receipt, to: service)["position"] == position)
        var newer = receipt
        newer.createdAt = Samples.date("2026-03-16T00:00:00Z")
        let later = try await submit(newer, to: service)
        #expect(later["balances"]?["coins"]?.int64Value == 100)
        #expect(
            try await types(service, "31001")
                == ["Purchased", "AccountLinked", "Renewed", "Confirmed", "Confirmed"]
        )
        // The receipt itself is kept once for each time it was made.
        #expect(try await service.count("SELECT count(*) FROM entitled.evidence") == 2)
        // What was folded live is what the log folds to, and the signatures still hold.
        let replay = try await service.call("audit.replay", ["account": .string(Samples.account)])
        #expect(replay["differences"]?.arrayValue?.isEmpty == true)
        let audit = try await service.call("audit.verify", ["signatures": true])
        #expect(audit["holds"]?.boolValue == true && audit["unverified"]?.int64Value == 0, "\(audit)")
        try await service.close()
    }

    @Test func bothViewsOfAPurchaseAreOnePurchase() async throws {
        let service = try await TestService.make(now: "2026-03-16T00:00:00Z")
        _ = try await submit(Self.receipt(Self.purchase("32001")), to: service)
        _ = try await service.submit(
            Samples.transaction("32001", ["appAccountToken": .string(Samples.otherAccount)])
        )
        _ = try await submit(Self.receipt(Self.purchase("32001"), created: "2026-03-15T12:00:00Z"), to: service)
        #expect(try await types(service, "32001") == ["Purchased", "AccountLinked", "Confirmed", "Confirmed"])
        let list = try await service.call("purchases.list", ["account": .string(Samples.account)])
        let purchases = list["lines"]?.arrayValue?.first?["purchases"]?.arrayValue
        #expect(purchases?.count == 1)
        try await service.close()
    }

    @Test func aRefundInAReceiptEndsAccessAndAnUpgradeDoesNot() async throws {
        let service = try await TestService.make(now: "2026-03-16T00:00:00Z")
        let refunded = Self.receipt(Self.purchase("33001", canceled: "2026-03-10T00:00:00Z"))
        let answer = try await submit(refunded, to: service)
        #expect(answer["entitlements"]?.arrayValue?[0]["state"]?.stringValue == "revoked")
        #expect(try await types(service, "33001").first == "Refunded")
        let upgraded = Self.receipt(
            Self.purchase("33101", canceled: "2026-03-10T00:00:00Z"),
            Self.purchase(
                "33102",
                "max.monthly",
                of: "33101",
                from: "2026-03-10T00:00:00Z",
                to: "2026-04-10T00:00:00Z"
            )
        )
        let other = try await submit(upgraded, to: service, account: Samples.otherAccount)
        let entitlements = other["entitlements"]?.arrayValue ?? []
        #expect(entitlements.map { $0["entitlement"] } == ["max", "pro"])
        #expect(entitlements.allSatisfy { $0["active"]?.boolValue == true })
        #expect(entitlements.allSatisfy { $0["productId"]?.stringValue == "max.monthly" })
        try await service.close()
    }

    @Test func linesOfAnotherAccountStayThere() async throws {
        let service = try await TestService.make(now: "2026-03-16T00:00:00Z")
        _ = try await service.submit(Samples.transaction("34001"), account: Samples.otherAccount)
        let both = Self.receipt(Self.purchase("34001"), Self.purchase("34002", "pro.lifetime", to: nil))
        let answer = try await submit(both, to: service)
        #expect(answer["receipt"]?["ownedByOthers"] == ["34001"])
        #expect(answer["entitlements"]?.arrayValue?.map { $0["productId"] } == ["pro.lifetime"])
        let failure = await #expect(throws: CallFailure.self) {
            _ = try await submit(Self.receipt(Self.purchase("34001")), to: service)
        }
        #expect(failure?.reason == "ownershipConflict")
        // Whoever holds the receipt and names no account sees its lines, and not whose they are.
        let anonymous = try await submit(both, to: service, account: nil)
        #expect(anonymous["account"] == nil)
        #expect(anonymous["originalTransactionId"] == nil)
        #expect(anonymous["entitlements"]?.arrayValue?.map { $0["entitlement"] } == ["pro"])
        let one = try await submit(Self.receipt(Self.purchase("34001")), to: service, account: nil)
        #expect(one["originalTransactionId"]?.stringValue == "34001")
        try await service.close()
    }

    @Test func aReceiptWithoutPurchasesIsNoted() async throws {
        let service = try await TestService.make(now: "2026-03-16T00:00:00Z")
        let answer = try await submit(Self.receipt(), to: service)
        #expect(answer["entitlements"] == [])
        #expect(answer["receipt"]?["transactions"]?.int64Value == 0)
        let page = try await service.call("events.list", ["account": .string(Samples.account)])
        #expect(page["events"]?.arrayValue?.map { $0["type"]?.stringValue } == ["Received"])
        try await service.close()
    }

    @Test func whatIsRefusedLeavesNothing() async throws {
        let service = try await TestService.make(now: "2026-03-16T00:00:00Z")
        let before = try await service.count("SELECT count(*) FROM entitled.events")
        let chain = try ThrowawayChain.make(validity: ScenarioSigning.validity)
        var foreign = Self.receipt(Self.purchase("35001"))
        foreign.bundleID = "com.foreign.app"
        var moon = Self.receipt(Self.purchase("35001"))
        moon.receiptType = "Moon"
        let signer = try TestService.signing.get().appStore.receiptSigner()
        let refused: [(String, String)] = [
            ("AAAA", "malformedStatement"),
            (try chain.receiptSigner().sign(Self.receipt(Self.purchase("35001"))), "invalidChain"),
            (try signer.sign(foreign), "wrongBundle"),
            (try signer.sign(moon), "wrongEnvironment"),
        ]
        for (text, reason) in refused {
            let failure = await #expect(throws: CallFailure.self) {
                _ = try await service.call(Self.method, ["receipt": .string(text)])
            }
            #expect(failure?.reason == reason)
        }
        #expect(try await service.count("SELECT count(*) FROM entitled.events") == before)
        try await service.close()
    }
}
