import AppStore
import EntitlementDomain
import Foundation
import JSON
import Simulator
import Testing
import X509

@Suite struct ReceiptReaderTests {
    private let desk: ReceiptDesk

    init() throws { desk = try ReceiptDesk() }

    private let month = ReceiptDesk.period("1001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z")

    private func refusal(_ receipt: AppReceipt, _ reader: ReceiptReader? = nil) throws -> StatementError? {
        let reader = if let reader { reader } else { try desk.reader() }
        return refusal(try desk.sign(receipt), reader)
    }

    private func refusal(_ text: String, _ reader: ReceiptReader) -> StatementError? {
        do throws(StatementError) {
            _ = try reader.read(text, now: ReceiptDesk.now)
            return nil
        } catch {
            return error
        }
    }

    @Test func everyFieldOfAReceiptIsRead() throws {
        var second = ReceiptDesk.single("1002", "coins.100", at: "2026-03-02T00:00:00Z", quantity: 3)
        second.canceledAt = ReceiptDesk.date("2026-03-03T00:00:00Z")
        second.cancellationReason = 1
        var first = month
        first.isTrial = true
        first.isInIntroductoryOffer = false
        let receipt = ReceiptDesk.receipt(second, first) { $0.expiresAt = ReceiptDesk.date("2030-01-01T00:00:00Z") }
        let text = try desk.sign(receipt)
        let reading = try desk.reader().read(text, now: ReceiptDesk.now)
        #expect(reading.bundleID == "com.example.app")
        #expect(reading.environment == .production)
        var expected = receipt
        expected.purchases[0].originalPurchasedAt = second.purchasedAt
        expected.purchases[1].quantity = 1
        #expect(reading.receipt == expected)
        // The earliest purchase first, each a statement of its own with the receipt as its evidence.
        #expect(reading.statements.map { $0.facts.transaction?.transactionID } == ["1001", "1002"])
        #expect(Set(reading.statements.map(\.identity)).count == 2)
        for statement in reading.statements {
            #expect(statement.source == .receipt)
            #expect(statement.evidence == [Array(text.utf8)])
            #expect(statement.evidenceDigests == [SHA256.hash(Array(text.utf8))])
            #expect(statement.signedAt == receipt.createdAt)
            #expect(statement.facts.namedType == nil)
        }
        let facts = try #require(reading.statements[0].facts.transaction)
        #expect(
            facts
                == TransactionFacts(
                    transactionID: "1001",
                    originalTransactionID: "1001",
                    productID: "pro.monthly",
                    signedAt: ReceiptDesk.date("2026-03-15T00:00:00Z"),
                    purchasedAt: ReceiptDesk.date("2026-03-01T00:00:00Z"),
                    originalPurchasedAt: ReceiptDesk.date("2026-03-01T00:00:00Z"),
                    expiresAt: ReceiptDesk.date("2026-04-01T00:00:00Z"),
                    webOrderLineItemID: "91001",
                    offer: Offer(type: 1, discountType: "FREE_TRIAL"),
                    isFromReceipt: true
                )
        )
        let coins = try #require(reading.statements[1].facts.transaction)
        #expect(coins.quantity == 3)
        #expect(coins.revokedAt == ReceiptDesk.date("2026-03-03T00:00:00Z"))
        #expect(coins.revocationReason == 1)
        #expect(coins.webOrderLineItemID == nil)
        let payload = try JSONParser.parse(reading.statements[1].payload)
        #expect(payload["receipt"]?["originalApplicationVersion"]?.stringValue == "7")
        #expect(payload["transaction"]?["cancellationDate"]?.int64Value == 1_772_496_000_000)
    }

    @Test func theSameReceiptIsTheSameStatementHoweverItIsWritten() throws {
        let text = try desk.sign(ReceiptDesk.receipt(month))
        var lines = ""
        for (place, character) in text.enumerated() {
            lines.append(character)
            if place % 64 == 63 { lines += "\r\n" }
        }
        let reader = try desk.reader()
        let one = try reader.read(text, now: ReceiptDesk.now)
        let other = try reader.read(lines, now: ReceiptDesk.now)
        #expect(one.statements.map(\.identity) == other.statements.map(\.identity))
    }

    @Test func aReceiptWithoutPurchasesIsKept() throws {
        let reading = try desk.reader().read(try desk.sign(ReceiptDesk.receipt()), now: ReceiptDesk.now)
        #expect(reading.statements.count == 1)
        #expect(reading.statements[0].line == nil)
        #expect(reading.statements[0].facts == StatementFacts(namedType: .received))
    }

    @Test func anUpgradeIsNoRefund() throws {
        // The old period bears the date of the upgrade where a refund would stand.
        let old = ReceiptDesk.period(
            "1001",
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            canceled: "2026-03-10T12:00:01Z"
        )
        let new = ReceiptDesk.period("1002", "max.monthly", from: "2026-03-10T12:00:00Z", to: "2026-04-10T12:00:00Z")
        let facts = try desk.facts(of: ReceiptDesk.receipt(new, old))
        #expect(facts[0].isUpgraded)
        #expect(facts[0].revokedAt == nil)
        #expect(!facts[1].isUpgraded)
    }

    @Test(
        arguments: [
            // Bought again after the refund, another product.
            ("max.monthly", "1001", "2026-03-12T00:00:00Z"),
            // The same product again.
            ("pro.monthly", "1001", "2026-03-10T12:00:00Z"),
            // Another line.
            ("max.monthly", "2001", "2026-03-10T12:00:00Z"),
            // After the period.
            ("max.monthly", "1001", "2026-04-02T00:00:00Z"),
        ]
    )
    func aCancellationThatNoUpgradeExplainsIsARefund(product: String, line: String, at start: String) throws {
        let old = ReceiptDesk.period(
            "1001",
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            canceled: "2026-03-10T12:00:00Z"
        )
        let new = ReceiptDesk.period("1002", product, of: line, from: start, to: "2026-05-10T12:00:00Z")
        let facts = try desk.facts(of: ReceiptDesk.receipt(old, new))
        #expect(facts[0].revokedAt == ReceiptDesk.date("2026-03-10T12:00:00Z"))
        #expect(!facts[0].isUpgraded)
    }

    @Test func offersAreThoseThatTheReceiptNames() throws {
        var promotional = month
        promotional.promotionalOfferID = "spring"
        var introductory = ReceiptDesk.period("1002", from: "2026-04-01T00:00:00Z", to: "2026-05-01T00:00:00Z")
        introductory.isInIntroductoryOffer = true
        introductory.isTrial = false
        var none = ReceiptDesk.period("1003", from: "2026-05-01T00:00:00Z", to: "2026-06-01T00:00:00Z")
        none.isInIntroductoryOffer = false
        let facts = try desk.facts(of: ReceiptDesk.receipt(promotional, introductory, none))
        #expect(facts.map(\.offer) == [Offer(type: 2, identifier: "spring"), Offer(type: 1), nil])
    }

    @Test(
        arguments: [
            ("Production", StoreEnvironment.production), ("ProductionVPP", .production),
            ("ProductionSandbox", .sandbox), ("ProductionVPPSandbox", .sandbox),
        ]
    )
    func theKindOfReceiptIsItsEnvironment(kind: String, environment: StoreEnvironment) throws {
        let receipt = ReceiptDesk.receipt(month) { $0.receiptType = kind }
        let reading = try desk.reader().read(try desk.sign(receipt), now: ReceiptDesk.now)
        #expect(reading.environment == environment)
        #expect(reading.statements[0].line?.environment == environment)
        let only: Set<StoreEnvironment> = environment == .production ? [.sandbox] : [.production]
        let refusal = try refusal(receipt, try desk.reader(environments: only))
        #expect(refusal?.reason == .wrongEnvironment)
    }

    @Test func whatIsNotOursIsRefused() throws {
        let foreign = try refusal(ReceiptDesk.receipt(month) { $0.bundleID = "com.foreign.app" })
        #expect(foreign?.reason == .wrongBundle)
        #expect(try refusal(ReceiptDesk.receipt(month) { $0.bundleID = nil })?.reason == .wrongBundle)
        #expect(try refusal(ReceiptDesk.receipt(month) { $0.appAppleID = 7 })?.reason == .wrongBundle)
        // The sandbox knows no Apple id.
        let sandbox = ReceiptDesk.receipt(month) {
            $0.receiptType = "ProductionSandbox"
            $0.appAppleID = 0
        }
        #expect(try refusal(sandbox) == nil)
        #expect(try refusal(ReceiptDesk.receipt(month) { $0.receiptType = nil })?.reason == .wrongEnvironment)
        #expect(try refusal(ReceiptDesk.receipt(month) { $0.receiptType = "Moon" })?.reason == .wrongEnvironment)
        // The App Store's chain does not vouch for Xcode, whatever is accepted.
        let xcode = try desk.reader(environments: [.production, .xcode], acceptsXcode: true)
        #expect(
            try refusal(ReceiptDesk.receipt(month) { $0.receiptType = "Xcode" }, xcode)?.reason == .wrongEnvironment
        )
        let undated = ReceiptDesk.receipt(month) { $0.createdAt = nil }
        #expect(try refusal(undated)?.reason == .malformedStatement)
    }

    @Test func aReceiptOfXcodeIsAcceptedBehindItsSwitchOnly() throws {
        let key = try ECPrivateKey.generate(.p256)
        let certificate = try CertificateIssuer.selfSigned(
            CertificateTemplate(commonName: "StoreKit", validity: ScenarioSigning.validity),
            key: key
        )
        let signer = ReceiptSigner(
            MessageSigner(certificate: certificate, key: key, others: [], encoding: .indefinite)
        )
        let text = try signer.sign(
            ReceiptDesk.receipt(month) {
                $0.receiptType = "Xcode"
                $0.appAppleID = 0
            }
        )
        let trusting = try desk.reader(xcodeCertificates: [certificate], acceptsXcode: true)
        #expect(try trusting.read(text, now: ReceiptDesk.now).environment == .xcode)
        #expect(refusal(text, try desk.reader(acceptsXcode: true))?.reason == .invalidChain)
        #expect(refusal(text, try desk.reader(xcodeCertificates: [certificate]))?.reason == .invalidChain)
        let production = try signer.sign(ReceiptDesk.receipt(month))
        #expect(refusal(production, trusting)?.reason == .invalidChain)
    }
}
