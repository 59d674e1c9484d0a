import JSON
import Testing

/// A subscription of many months is kept in two parts; no answer shows it.
@Suite struct LongLineTests {
    /// Twenty-four months, the first of each; the newest begins before the clock.
    private static func month(_ number: Int) -> String {
        let (year, month) = (2025 + number / 12, number % 12 + 1)
        return "\(year)-\(month < 10 ? "0" : "")\(month)-01T00:00:00Z"
    }

    private static func withLongLine(_ body: (TestService) async throws -> Void) async throws {
        let service = try await TestService.make(now: "2026-12-15T00:00:00Z")
        for number in 0..<24 {
            try await service.submit(
                Samples.transaction(
                    "\(1001 + number)",
                    [
                        "originalTransactionId": "1001", "webOrderLineItemId": .string("w\(number)"),
                        "productId": .string(number < 6 ? "max.monthly" : "pro.monthly"),
                        "purchaseDate": Samples.milliseconds(month(number)),
                        "signedDate": Samples.milliseconds(month(number)),
                        "expiresDate": Samples.milliseconds(month(number + 1)),
                    ]
                ),
                renewalInfo: Samples.renewalInfo("1001", ["signedDate": Samples.milliseconds(month(number))])
            )
        }
        #expect(try await service.count("SELECT count(*) FROM entitled.line_history") > 10)
        try await body(service)
        try await service.close()
    }

    @Test func everyInstantIsAnswered() async throws {
        try await Self.withLongLine { service in
            for number in 0..<24 {
                let at = JSONValue.string(Self.month(number).replacing("-01T", with: "-15T"))
                let key: JSONValue = ["account": .string(Samples.account), "at": at]
                let snapshot = try await service.call("entitlements.get", key)
                let entries = snapshot["entitlements"]?.arrayValue ?? []
                let pro = entries.first { $0["entitlement"] == "pro" }
                #expect(pro?["active"] == true)
                #expect(pro?["transactionId"] == .string("\(1001 + number)"))
                // What was granted by a product of an earlier time stays in the answer.
                let max = entries.first { $0["entitlement"] == "max" }
                #expect(max?["active"] == .bool(number < 6))
                #expect(max?["transactionId"] == .string("\(1001 + min(number, 5))"))

                let many = try await service.call(
                    "entitlements.getMany",
                    ["accounts": [.string(Samples.account)], "at": at]
                )
                #expect(many["results"]?[0]?["entitlements"] == snapshot["entitlements"])
                let status = try await service.call("subscriptions.status", key)
                #expect(
                    status["groups"]?[0]?["statuses"]?[0]?["transaction"]?["transactionId"]
                        == .string("\(1001 + number)")
                )
                let explained = try await service.call("entitlements.explain", key)
                let why = (explained["entitlements"]?.arrayValue ?? []).first { $0["answer"]?["entitlement"] == "pro" }
                #expect(why?["answer"]?["active"] == true)
                #expect(why?["facts"]?["transactionId"] == .string("\(1001 + number)"))
            }
        }
    }

    @Test func allPurchasesAreListed() async throws {
        try await Self.withLongLine { service in
            let list = try await service.call("purchases.list", ["account": .string(Samples.account)])
            let purchases = list["lines"]?[0]?["purchases"]?.arrayValue ?? []
            #expect(purchases.map { $0["transactionId"] } == (0..<24).reversed().map { .string("\(1001 + $0)") })
            let first = try await service.call(
                "purchases.list",
                ["account": .string(Samples.account), "at": .string(Self.month(2))]
            )
            #expect(first["lines"]?[0]?["purchases"]?.arrayValue?.count == 3)
        }
    }

    @Test func aRefundOfAnEarlierMonthCounts() async throws {
        try await Self.withLongLine { service in
            try await service.submit(
                Samples.transaction(
                    "1004",
                    [
                        "originalTransactionId": "1001", "webOrderLineItemId": "w3", "productId": "max.monthly",
                        "purchaseDate": Samples.milliseconds(Self.month(3)),
                        "expiresDate": Samples.milliseconds(Self.month(4)),
                        "signedDate": Samples.milliseconds("2026-12-14T00:00:00Z"),
                        "revocationDate": Samples.milliseconds("2025-04-10T00:00:00Z"), "revocationReason": 0,
                    ]
                )
            )
            func active(_ at: String) async throws -> JSONValue? {
                try await service.call(
                    "entitlements.check",
                    ["account": .string(Samples.account), "entitlement": "max", "at": .string(at)]
                )["active"]
            }
            #expect(try await active("2025-04-09T00:00:00Z") == true)
            #expect(try await active("2025-04-11T00:00:00Z") == false)
            #expect(try await active("2025-05-11T00:00:00Z") == true)
            let replay = try await service.call("audit.replay", ["account": .string(Samples.account)])
            #expect(replay["differences"]?.arrayValue?.isEmpty == true)
        }
    }
}
