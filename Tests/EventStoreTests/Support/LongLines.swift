import EntitlementDomain
import EventStore
import JSON
import TestKit

/// Work on a few lines that go on for years: renewals with now and then a refund, a twin, an upgrade, a late or repeated
/// statement, and commands about the lines.
struct LongLines {
    private var facts: RandomFacts
    /// How many periods each line has by now.
    private var periods: [Int]
    private var told: [StatementRecord] = []

    init(seed: UInt64, lines: Int = 3) {
        facts = RandomFacts(generator: SeededGenerator(seed: seed), lines: lines)
        periods = Array(repeating: 0, count: lines)
    }

    /// - Parameter name: makes the request's identity.
    mutating func request(_ name: String) -> AppendRequest {
        let claim = facts.chance(10) ? facts.account() : nil
        if facts.chance(5) { return .command(command(name)) }
        if facts.chance(10), !told.isEmpty {
            return .statement(told[facts.number(0..<told.count)], claim: claim)
        }
        let statement = Sample.statement(statement(), name: name)
        told.append(statement)
        return .statement(statement, claim: claim)
    }

    private mutating func statement() -> StatementFacts {
        let line = facts.number(0..<periods.count)
        if facts.chance(60) || periods[line] == 0 {
            periods[line] += 1
            return period(line, periods[line] - 1)
        }
        // Most of what is said is about the last periods, some of it about any.
        let number =
            facts.chance(70) ? max(0, periods[line] - 1 - facts.number(0..<3)) : facts.number(0..<periods[line])
        var said = period(line, number)
        switch facts.number(0..<5) {
        case 0:
            said.transaction?.revokedAt = Sample.day(30 * number + 20)
            said.transaction?.signedAt = Sample.day(30 * number + 20)
        case 1: said.transaction?.transactionID += "-again"
        case 2:
            said.transaction?.isUpgraded = true
            said.transaction?.signedAt = Sample.day(30 * number + 25)
        case 3:
            said.transaction?.expiresAt = Sample.day(30 * number + 44)
            said.transaction?.signedAt = Sample.day(30 * number + 5)
        default: said.renewal?.signedAt = Sample.day(30 * number + facts.number(0..<90))
        }
        return said
    }

    private mutating func period(_ line: Int, _ number: Int) -> StatementFacts {
        let product = ["pro.monthly", "max.monthly", "unknown"][(number / 7 + line) % 3]
        var transaction = Sample.month("long\(line)", number, product: product)
        transaction.webOrderLineItemID = number % 5 == 0 ? nil : "w\(line)-\(number)"
        transaction.appAccountToken = number % 4 == 3 ? RandomFacts.accounts[line] : nil
        transaction.isRenewal = number > 0
        let renewal = RenewalFacts(
            signedAt: transaction.signedAt,
            autoRenews: facts.chance(90),
            productID: product,
            isInBillingRetry: facts.chance(10),
            renewsAt: transaction.expiresAt
        )
        return StatementFacts(transaction: transaction, renewal: facts.chance(80) ? renewal : nil)
    }

    private mutating func command(_ name: String) -> AccountCommand {
        let action: AccountCommand.Action =
            facts.chance(50) ? .transfer(to: facts.account()) : .placeHold(entitlement: "pro")
        let payload: JSONValue = ["command": .string(name)]
        return AccountCommand(
            action: action,
            subject: .line("long\(facts.number(0..<periods.count))"),
            environment: .production,
            identity: nil,
            payload: payload.canonicalBytes()
        )
    }
}
