import EntitlementDomain
import TestKit

/// One purchase without renewals: a lifetime purchase, a pass or a pack of consumables.
struct OneTimeStory {
    let line: LineID
    let productID: String
    let type: ProductType
    var statements: [SignedStatement] = []
    var clock: Instant
    /// What is true of each transaction id now.
    private var truths: [TransactionFacts] = []

    init(line: LineID, productID: String, start: Instant) {
        self.line = line
        self.productID = productID
        type = History.catalog[productID]?.type ?? .nonConsumable
        clock = start
    }

    mutating func tell(token: AccountID?, _ random: inout SeededGenerator) {
        let ahead = random.chance(1, in: 8) ? Span.hour : 0
        let quantity = type == .consumable ? random.number(1...3) : 1
        purchase(token: token, at: clock.advanced(byMilliseconds: ahead), quantity: quantity, &random)
        for _ in 0..<random.number(0...3) {
            clock = clock.advanced(byMilliseconds: Int64(random.number(1...400)) * Span.hour)
            switch random.number(0...5) {
            case 0...1: refund(&random)
            case 2: reverseRefund(&random)
            case 3: signAgain(&random)
            case 4: addID(token: token, &random)
            case 5 where type == .nonConsumable: buyAgain(token: token, &random)
            default: signAgain(&random)
            }
        }
    }

    private mutating func purchase(
        token: AccountID?,
        at purchasedAt: Instant,
        quantity: Int = 1,
        _ random: inout SeededGenerator
    ) {
        let first = Int(line.originalTransactionID) ?? 1
        truths.append(
            TransactionFacts(
                transactionID: String(first + truths.count),
                originalTransactionID: line.originalTransactionID,
                productID: productID,
                type: type,
                signedAt: clock,
                purchasedAt: purchasedAt,
                quantity: quantity,
                appAccountToken: token
            )
        )
        say(random.chance(1, in: 2) ? .oneTimeCharge : nil, truths.count - 1)
    }

    private mutating func say(_ name: SignedStatement.Name?, _ index: Int) {
        truths[index].signedAt = clock
        statements.append(SignedStatement(line: line, name: name, transaction: truths[index]))
    }

    private mutating func refund(_ random: inout SeededGenerator) {
        let index = random.number(0...truths.count - 1)
        guard truths.allSatisfy({ $0.revokedAt == nil || $0.purchasedAt < truths[index].purchasedAt }) else { return }
        truths[index].revokedAt = clock.advanced(byMilliseconds: -Int64(random.pick([0, 0, 5])) * Span.minute)
        truths[index].revocationKind = type == .consumable && random.chance(1, in: 2) ? .prorated : .full
        if truths[index].revocationKind == .prorated {
            truths[index].revocationPercentage = random.pick([nil, 0, 33_333, 50_000, 66_667, 99_999, 100_000])
        }
        say(.refund, index)
    }

    private mutating func reverseRefund(_ random: inout SeededGenerator) {
        guard let index = truths.firstIndex(where: { $0.revokedAt != nil }) else { return }
        truths[index].revokedAt = nil
        truths[index].revocationKind = .full
        truths[index].revocationPercentage = nil
        say(.reversal, index)
    }

    private mutating func signAgain(_ random: inout SeededGenerator) {
        // While a refund stands, only the id that it names is signed again: what a clean signature of another id
        // means is a question of its own.
        let index = truths.firstIndex { $0.revokedAt != nil } ?? random.number(0...truths.count - 1)
        say(nil, index)
    }

    /// Another device gives the same purchase another id; only a lifetime purchase may then bear another date.
    private mutating func addID(token: AccountID?, _ random: inout SeededGenerator) {
        guard truths.allSatisfy({ $0.revokedAt == nil }) else { return }
        let isRestored = type == .nonConsumable && random.chance(1, in: 2)
        let quantity = truths[0].quantity
        purchase(token: token, at: isRestored ? clock : truths[0].purchasedAt, quantity: quantity, &random)
    }

    private mutating func buyAgain(token: AccountID?, _ random: inout SeededGenerator) {
        guard truths.contains(where: { $0.revokedAt != nil }) else { return }
        purchase(token: token, at: clock, &random)
    }
}
