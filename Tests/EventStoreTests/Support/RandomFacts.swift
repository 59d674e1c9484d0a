import EntitlementDomain
import TestKit

/// Random facts of a few lines, with every column of an event in use.
struct RandomFacts {
    var generator: SeededGenerator
    let lines: Int
    static let accounts = (0..<4).map { AccountID(high: 0x4000 + UInt64($0), low: 0x8000_0000_0000_0000 + UInt64($0)) }

    /// The types that a notification's name can ask for.
    private static let names = EventType.allCases.prefix { $0 != .accountLinked }

    mutating func facts() -> StatementFacts {
        var facts = StatementFacts()
        if chance(85) { facts.transaction = transaction() }
        if facts.transaction == nil || chance(40) { facts.renewal = renewal() }
        if chance(50) { facts.namedType = Self.names.randomElement(using: &generator) }
        return facts
    }

    /// The line of facts without a transaction.
    mutating func line() -> LineID {
        LineID(
            environment: chance(80) ? .production : .sandbox,
            bundleID: Sample.bundleID,
            originalTransactionID: "line\(number(0..<lines))",
            ownership: chance(80) ? .purchased : .familyShared
        )
    }

    mutating func account() -> AccountID { Self.accounts.randomElement(using: &generator)! }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func transaction() -> TransactionFacts {
        let line = "line\(number(0..<lines))"
        let month = number(0..<6)
        let start = Sample.day(month * 30)
        return TransactionFacts(
            transactionID: "\(line)-\(month)",
            originalTransactionID: line,
            productID: ["pro.monthly", "max.monthly", "pro.lifetime", "unknown", "é😀"].randomElement(
                using: &generator
            )!,
            type: optional {
                $0.chance(80) ? .autoRenewable : ProductType.allCases.randomElement(using: &$0.generator)!
            },
            ownership: chance(80) ? .purchased : .familyShared,
            signedAt: start.advanced(byMilliseconds: Int64(number(0..<40)) * 86_399_999),
            purchasedAt: start.advanced(byMilliseconds: Int64(number(0..<3))),
            originalPurchasedAt: optional { _ in Sample.day(0) },
            expiresAt: optional { _ in Sample.day(month * 30 + 30) },
            webOrderLineItemID: optional { "w\($0.number(0..<6))" },
            quantity: chance(80) ? 1 : Int(Int32.max),
            revokedAt: chance(25) ? start.advanced(byMilliseconds: Int64(number(0..<30)) * 86_400_000) : nil,
            revocationKind: [.full, .prorated, .family].randomElement(using: &generator)!,
            revocationReason: optional { $0.number(0..<2) },
            revocationPercentage: optional { $0.number(0..<100_001) },
            isUpgraded: chance(10),
            offer: optional { $0.offer() },
            isRenewal: optional { $0.chance(50) },
            appAccountToken: chance(40) ? account() : nil,
            subscriptionGroupID: optional { _ in "plans" }
        )
    }

    mutating func renewal() -> RenewalFacts {
        RenewalFacts(
            signedAt: Sample.day(number(0..<200)),
            autoRenews: optional { $0.chance(50) },
            productID: optional { _ in "pro.monthly" },
            autoRenewProductID: optional { _ in "max.monthly" },
            isInBillingRetry: chance(30),
            gracePeriodExpiresAt: optional { Sample.day($0.number(0..<200)) },
            expirationIntent: optional { $0.number(1..<6) },
            renewsAt: optional { Sample.day($0.number(0..<200)) },
            priceIncreaseStatus: optional { $0.number(0..<2) },
            renewalPrice: optional { _ in Int64.max },
            currency: optional { _ in "EUR" },
            offer: optional { $0.offer() },
            status: optional { $0.number(1..<6) },
            saysGracePeriod: chance(30)
        )
    }

    private mutating func offer() -> Offer {
        Offer(
            type: number(-1..<5),
            identifier: optional { _ in "offer" },
            discountType: optional { _ in "FREE_TRIAL" },
            period: optional { _ in "P1W" }
        )
    }

    private mutating func optional<Value>(_ make: (inout RandomFacts) -> Value) -> Value? {
        chance(60) ? make(&self) : nil
    }
}
