import EntitlementDomain
import EventStore
import JSON
import TestKit
import X509

/// Random append requests of every kind but catalogs, over a few lines and accounts.
struct RandomWork {
    private var facts: RandomFacts

    init(seed: UInt64) {
        facts = RandomFacts(generator: SeededGenerator(seed: seed), lines: 6)
    }

    /// - Parameter name: makes the request's identity.
    mutating func request(_ name: String) -> AppendRequest {
        if facts.chance(20) { return .command(command(name)) }
        let statement = facts.facts()
        return .statement(
            Sample.statement(
                statement,
                name: facts.chance(10) ? "one that comes again" : name,
                line: statement.transaction == nil ? facts.line() : nil
            ),
            claim: facts.chance(25) ? facts.account() : nil
        )
    }

    private mutating func command(_ name: String) -> AccountCommand {
        if facts.chance(4) { return Sample.erasure(of: facts.account()) }
        let isLine = facts.chance(40)
        let action: AccountCommand.Action
        switch facts.number(0..<5) {
        case 0 where !isLine: action = .issueGrant(entitlement: "pro", startsAt: nil, endsAt: Sample.day(100))
        case 1 where !isLine: action = .spend(currency: "coins", units: 1)
        case 2: action = .transfer(to: facts.account())
        case 3: action = .link(to: facts.account())
        default: action = .placeHold(entitlement: facts.chance(50) ? "pro" : nil)
        }
        let payload: JSONValue = ["command": .string(name)]
        return AccountCommand(
            action: action,
            subject: isLine ? .line(facts.line().originalTransactionID) : .account(facts.account()),
            environment: facts.chance(80) ? .production : .sandbox,
            identity: facts.chance(50) ? SHA256.hash(Array(name.utf8)).bytes : nil,
            payload: payload.canonicalBytes()
        )
    }
}
