import EntitlementDomain
import TestKit

/// Statements about one long line: renewals month after month, with all that happens on the way.
struct LongHistory {
    /// In the order in which the App Store signed them, about.
    private(set) var statements: [StatementFacts] = []

    static let origin = Sample.date("2015-01-01T00:00:00Z")
    static let day: Int64 = 86_400_000
    static let products = ["pro.monthly", "max.monthly", "pro.yearly", "unmapped"]

    /// - Parameter isWild: adds what the App Store would hardly say: dates that contradict each other, line items that move,
    ///   other kinds of purchases.
    init(periods: Int, isWild: Bool, _ random: inout SeededGenerator) {
        var start = Self.origin
        var product = Self.products[0]
        for number in 0..<periods {
            let length = Int64([30, 30, 30, 7, 365].randomElement(using: &random)!) * Self.day
            let end = start.advanced(byMilliseconds: length)
            var version = TransactionFacts(
                transactionID: String(10_000 + number),
                originalTransactionID: "1001",
                productID: product,
                type: .autoRenewable,
                // Renewals are charged, and signed, up to a day ahead.
                signedAt: start.advanced(byMilliseconds: Self.chance(1, in: 8, &random) ? -Self.day / 2 : 5_000),
                purchasedAt: start,
                expiresAt: end,
                webOrderLineItemID: Self.chance(7, in: 8, &random) ? "w\(number)" : nil,
                offer: number == 0 && Self.chance(1, in: 2, &random) ? Offer(type: 1) : nil,
                isRenewal: number > 0,
                appAccountToken: Self.chance(1, in: 2, &random)
                    ? (Self.chance(1, in: 9, &random) ? Sample.otherAccount : Sample.account) : nil,
                subscriptionGroupID: ["plans", "others", nil, nil].randomElement(using: &random)!
            )
            tell(version, Self.renewal(version, &random))
            if Self.chance(1, in: 6, &random) {
                var twin = version
                twin.transactionID += "5"
                twin.signedAt = twin.signedAt.advanced(byMilliseconds: Self.day)
                tell(twin, nil)
            }
            if Self.chance(1, in: 8, &random) {
                version.signedAt = start.advanced(byMilliseconds: length / 2)
                version.revokedAt = version.signedAt
                version.revocationKind = Self.chance(1, in: 3, &random) ? .prorated : .full
                tell(version, nil)
                if Self.chance(1, in: 2, &random) {
                    version.signedAt = version.signedAt.advanced(byMilliseconds: Self.day)
                    version.revokedAt = nil
                    tell(version, Self.renewal(version, &random))
                }
            }
            if Self.chance(1, in: 12, &random) {
                version.signedAt = start.advanced(byMilliseconds: length / 3)
                version.expiresAt = end.advanced(byMilliseconds: 14 * Self.day)
                tell(version, Self.renewal(version, &random))
            }
            let before = product
            if Self.chance(1, in: 5, &random) { product = Self.products.randomElement(using: &random)! }
            if product != before, Self.chance(1, in: 2, &random) {
                start = start.advanced(byMilliseconds: length / 2)
                version.signedAt = start
                version.isUpgraded = true
                tell(version, nil)
            } else {
                start = end
            }
            if Self.chance(1, in: 6, &random) { start = start.advanced(byMilliseconds: 10 * Self.day) }
            if Self.chance(1, in: 5, &random) { tell(nil, Self.renewal(version, &random)) }
        }
        if isWild { makeWild(&random) }
    }

    private mutating func tell(_ transaction: TransactionFacts?, _ renewal: RenewalFacts?) {
        statements.append(StatementFacts(transaction: transaction, renewal: renewal))
    }

    static func chance(_ part: Int, in whole: Int, _ random: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<whole, using: &random) < part
    }

    private static func renewal(_ version: TransactionFacts, _ random: inout SeededGenerator) -> RenewalFacts? {
        guard chance(4, in: 5, &random) else { return nil }
        let end = version.expiresAt ?? version.purchasedAt
        let hasFailed = chance(1, in: 6, &random)
        return RenewalFacts(
            signedAt: hasFailed ? end.advanced(byMilliseconds: 3_600_000) : version.signedAt,
            autoRenews: chance(1, in: 10, &random) ? nil : chance(5, in: 6, &random),
            productID: version.productID,
            autoRenewProductID: products.randomElement(using: &random)!,
            isInBillingRetry: hasFailed,
            gracePeriodExpiresAt: hasFailed && chance(1, in: 2, &random)
                ? end.advanced(byMilliseconds: 6 * day) : nil,
            expirationIntent: hasFailed ? 2 : nil,
            renewsAt: chance(1, in: 6, &random) ? end.advanced(byMilliseconds: 7 * day) : end,
            status: hasFailed ? 3 : 1
        )
    }

    private mutating func makeWild(_ random: inout SeededGenerator) {
        let moments = statements.map { facts in
            [facts.transaction?.purchasedAt, facts.transaction?.signedAt, facts.renewal?.signedAt].compactMap(\.self)
        }
        for _ in 0..<Int.random(in: 1...max(2, statements.count / 5), using: &random) {
            let index = statements.indices.randomElement(using: &random)!
            // Mostly of a statement nearby, where it is next to the cut now and then.
            let other = Self.chance(1, in: 5, &random) ? Int.random(in: 0..<1_000, using: &random) : index
            let place = min(max(0, other + Int.random(in: -6...6, using: &random)), statements.count - 1)
            guard let moment = moments[place].randomElement(using: &random) else { continue }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: statements[index].transaction?.signedAt = moment
            case 1: statements[index].transaction?.purchasedAt = moment
            case 2: statements[index].transaction?.expiresAt = Self.chance(1, in: 2, &random) ? nil : moment
            case 3: statements[index].transaction?.revokedAt = moment
            case 4: statements[index].transaction?.isUpgraded = true
            case 5: statements[index].transaction?.webOrderLineItemID = "w\(Int.random(in: 0..<20, using: &random))"
            case 6: statements[index].transaction?.productID = Self.products.randomElement(using: &random)!
            case 7: statements[index].transaction?.appAccountToken = Sample.otherAccount
            case 8 where Self.chance(1, in: 12, &random):
                statements[index].transaction?.type = [nil, .nonRenewing].randomElement(using: &random)!
            case 9: statements[index].renewal?.signedAt = moment
            case 8, 10: statements[index].transaction?.offer = Offer(type: 1)
            default:
                let id = statements[place].transaction?.transactionID
                statements[index].transaction?.transactionID = id ?? "10003"
            }
        }
    }

    /// The statements as they may arrive: about in order, some of them late, some twice.
    func deliveries(_ random: inout SeededGenerator) -> [StatementFacts] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return statements
        case 1: return (statements + statements.filter { _ in Bool.random(using: &random) }).shuffled(using: &random)
        default:
            var places: [(place: Int, facts: StatementFacts)] = []
            for (index, facts) in statements.enumerated() {
                places.append(
                    (index + (Self.chance(1, in: 8, &random) ? Int.random(in: 0..<60, using: &random) : 0), facts)
                )
                if Self.chance(1, in: 10, &random) {
                    places.append((index + Int.random(in: 0..<40, using: &random), facts))
                }
            }
            return places.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
                .map(\.element.facts)
        }
    }
}
