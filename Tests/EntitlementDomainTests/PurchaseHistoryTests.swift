import EntitlementDomain
import Testing

@Suite struct PurchaseHistoryTests {
    private func month(_ id: String, _ number: Int, lineItem: String? = nil) -> TransactionFacts {
        Sample.period(
            id,
            from: "2026-0\(number)-01T00:00:00Z",
            to: "2026-0\(number + 1)-01T00:00:00Z",
            lineItem: lineItem
        )
    }

    private func history(_ lines: LineState..., limit: Int = 100) -> PurchaseHistory {
        Account(lines: lines).purchaseHistory(catalog: Sample.catalog, limit: limit)
    }

    @Test func twinsAreOnePurchase() {
        let history = history(Sample.state(month("1009", 3, lineItem: "w1"), month("1001", 3, lineItem: "w1")))
        #expect(history.lines.map { $0.purchases.map(\.transactionIDs) } == [[["1001", "1009"]]])
    }

    @Test func theLimitCountsPurchasesOverAllLines() {
        let first = Sample.state(month("1001", 1), month("1002", 4))
        var second = LineState(
            id: LineID(environment: .production, bundleID: "com.example.app", originalTransactionID: "2001")
        )
        second.apply(StatementFacts(transaction: month("2001", 2)), announces: true)
        second.apply(StatementFacts(transaction: month("2002", 3)), announces: true)
        let all = history(first, second)
        #expect(!all.isShortened)
        #expect(all.lines.map { $0.purchases.map(\.newest.transactionID) } == [["1002", "1001"], ["2002", "2001"]])
        let two = history(first, second, limit: 2)
        #expect(two.isShortened)
        #expect(two.lines.map { $0.purchases.map(\.newest.transactionID) } == [["1002"], ["2002"]])
        let one = history(first, second, limit: 1)
        #expect(one.lines.map(\.id.originalTransactionID) == ["1001"])
    }

    @Test func productsWithoutAPlaceInTheCatalogAreNamed() {
        var later = month("1001", 3)
        later.productID = "later.monthly"
        let line = history(Sample.state(later, month("1002", 4), month("1003", 5))).lines[0]
        #expect(line.unmappedProductIDs == ["later.monthly"])
        #expect(line.type == .autoRenewable)
        #expect(line.isOwned)
    }

    @Test func aLineOfWhichOnlyTheRenewalIsKnownIsListedEmpty() {
        let renewal = RenewalFacts(signedAt: Sample.date("2026-03-01T00:00:00Z"), autoRenews: true)
        let line = history(Sample.state([StatementFacts(renewal: renewal)])).lines[0]
        #expect(line.purchases.isEmpty)
        #expect(line.type == nil)
        #expect(!line.isOwned)
        #expect(history(LineState(id: Sample.line)).lines.isEmpty)
    }
}
