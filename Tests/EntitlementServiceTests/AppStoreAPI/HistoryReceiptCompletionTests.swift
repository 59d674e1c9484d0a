import AppStore
import EntitlementDomain
import EntitlementService
import EventStore
import JSON
import Simulator
import Testing
import X509

struct HistoryReceiptCompletionTests {
    @Test func whatAReceiptDoesNotTellComesFromTheHistory() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: nil)
        let other = try desk.fake.buy(FakeProduct("coins.100", .consumable), account: nil, customerOf: line)
        try await desk.fake.advance(hours: 31 * 24)
        var receipt = AppReceipt()
        receipt.receiptType = "Production"
        receipt.appAppleID = 1_234_567_890
        receipt.bundleID = "com.example.app"
        receipt.createdAt = Samples.date("2026-03-01T01:00:00Z")
        var purchase = ReceiptPurchase(
            transactionID: line,
            originalTransactionID: line,
            productID: "pro.monthly",
            purchasedAt: Samples.date("2026-03-01T00:00:00Z")
        )
        purchase.expiresAt = Samples.date("2026-04-01T00:00:00Z")
        receipt.purchases = [purchase]
        let text = try TestService.signing.get().appStore.receiptSigner().sign(receipt)
        let account = HealingDesk.account.description
        let answer = try await desk.call("receipts.submit", ["receipt": .string(text), "account": .string(account)])
        // The renewal and the consumable are not in the receipt.
        #expect(answer["entitlements"]?[0]?["active"] == true)
        #expect(answer["balances"]?["coins"] == 100)
        #expect(try await desk.owns(HealingDesk.account, other))
        #expect(try await desk.duplicates() == 0)
        try await desk.close()
    }
}
