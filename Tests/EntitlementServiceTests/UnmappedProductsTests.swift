import EntitlementAPI
import EntitlementDomain
import EventStore
import JSON
import Testing

@testable import EntitlementService

@Suite struct UnmappedProductsTests {
    @Test func aProductWithoutAPlaceInTheCatalogIsCounted() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1001", ["productId": "later.monthly"]))
        // The same statement again appends nothing, and a mapped product is no news.
        try await service.submit(Samples.transaction("1001", ["productId": "later.monthly"]))
        try await service.submit(Samples.transaction("1002"))
        try await service.submit(Samples.transaction("1003", ["productId": "later.monthly"]))
        let metrics = try await service.metrics()
        let lines = metrics.split(separator: "\n").filter { $0.hasPrefix("entitled_unmapped_products_total") }
        #expect(lines == ["entitled_unmapped_products_total{product=\"later.monthly\"} 2.0"])
        try await service.close()
    }

    @Test func aProductThatIsMappedLaterGrantsAtOnce() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1001", ["productId": "later.monthly"]))
        let question: JSONValue = ["account": .string(Samples.account), "entitlement": "pro"]
        let rows = "SELECT count(*) FROM entitled.entitlements WHERE line_id = '1001' AND entitlement = 'pro'"
        #expect(try await service.call("entitlements.check", question)["state"] == "none")
        #expect(try await service.count(rows) == 0)
        try await service.put([
            "entitlements": [["id": "pro"]],
            "products": [
                [
                    "productId": "later.monthly", "type": "autoRenewable", "subscriptionGroup": "plans",
                    "grants": ["pro"],
                ]
            ],
        ])
        #expect(try await service.call("entitlements.check", question)["state"] == "active")
        #expect(try await service.count(rows) == 1)
        let purchases = try await service.call("purchases.list", ["account": .string(Samples.account)])
        #expect(purchases["lines"]?[0]?["mapped"] == true)
        try await service.close()
    }

    @Test func theNumberOfSeriesIsBounded() {
        let metrics = ServiceMetrics()
        for number in 0..<1_000 { metrics.count(outcome("product.\(number)")) }
        metrics.count(outcome("product.0"))
        let lines = metrics.text.split(separator: "\n").filter { $0.hasPrefix("entitled_unmapped_products_total{") }
        #expect(lines.count == IngestMetrics.maximumProducts + 1)
        #expect(lines.contains("entitled_unmapped_products_total{product=\"product.0\"} 2.0"))
        let others = 1_000 - IngestMetrics.maximumProducts
        #expect(lines.contains("entitled_unmapped_products_total{product=\"(others)\"} \(others).0"))
    }

    @Test func labelsAreEscaped() {
        let metrics = ServiceMetrics()
        metrics.count(outcome("a\"b\\c\nd"))
        #expect(metrics.text.contains("entitled_unmapped_products_total{product=\"a\\\"b\\\\c\\nd\"} 1.0\n"))
    }

    private func outcome(_ productID: String) -> AppendOutcome {
        var outcome = AppendOutcome()
        outcome.unmappedProductID = productID
        return outcome
    }
}
