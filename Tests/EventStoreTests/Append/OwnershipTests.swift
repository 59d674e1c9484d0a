import EntitlementDomain
import EventStore
import TestKit
import Testing

/// Law 9: a line has at most one owning account at any position of the log.
@Suite struct OwnershipTests {
    private static func policy(_ rule: Policy.OwnershipRule) -> Policy {
        var policy = Policy()
        policy.ownership = rule
        return policy
    }

    @Test func aClaimOnAnUnownedLineLinksIt() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let outcome = try await store.append(.statement(Sample.upload(Sample.month("1")), claim: Sample.account))
            #expect(outcome.events.map(\.type) == [.purchased, .accountLinked])
            #expect(outcome.owner == Sample.account)
            let again = try await store.append(.statement(Sample.upload(Sample.month("1")), claim: Sample.account))
            #expect(again.isDuplicate)
            #expect(again.owner == Sample.account)
            #expect(try await store.snapshot(ofAccount: Sample.account, in: .production).account.lines.count == 1)
        }
    }

    @Test func aConflictAppendsNothingAndUsesNothingUp() async throws {
        let statement = Sample.upload(Sample.month("1", 1, token: Sample.account))
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.statement(Sample.upload(Sample.month("1", token: Sample.account)), claim: nil))
            for _ in 0..<2 {
                let refused = try await store.append(.statement(statement, claim: Sample.otherAccount))
                #expect(refused.isOwnershipConflict)
                #expect(refused.events.isEmpty)
                #expect(refused.owner == nil, "nobody learns who owns a line by claiming it")
            }
            #expect(try await database.events().count == 1)
            #expect(try await database.count("SELECT count(*) FROM entitled.statements") == 1)
            #expect(try await database.count("SELECT count(*) FROM entitled.evidence") == 1)
            // The refused copy has not used up the statement.
            let accepted = try await store.append(.statement(statement, claim: Sample.account))
            #expect(accepted.events.map(\.position) == [2])
            #expect(accepted.owner == Sample.account)
        }
    }

    @Test func theNewestClaimTakesALineOverInOneStep() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore(policy: Self.policy(.transferToNewest))
            let statement = Sample.upload(Sample.month("1", token: Sample.account))
            _ = try await store.append(.statement(statement, claim: nil))
            let outcome = try await store.append(.statement(statement, claim: Sample.otherAccount))
            #expect(outcome.events.map(\.position) == [2] && outcome.events.map(\.type) == [.accountTransferred])
            #expect(outcome.owner == Sample.otherAccount)
            #expect(try await store.snapshot(ofAccount: Sample.account, in: .production).account.lines.isEmpty)
            #expect(try await store.snapshot(ofAccount: Sample.otherAccount, in: .production).account.lines.count == 1)
            let changes = ReferenceFold(try await database.events()).ownerChanges
            #expect(changes.map(\.position) == [1, 2])
            var owners: [AccountID?] = []
            for account in [Sample.account, Sample.otherAccount] {
                owners.append(try await database.pseudonym(of: account))
            }
            #expect(changes.map(\.after) == owners)
            // What both accounts have changed, and the feed must say so.
            #expect(try await database.count("SELECT count(*) FROM entitled.feed WHERE position = 2") == 2)
            // The one that lost it is remembered, the one that has it is its owner.
            #expect(try await database.count("SELECT count(*) FROM entitled.former_owners") == 1)
        }
    }

    @Test(arguments: Policy.OwnershipRule.allCases)
    func claimsOfManyAccountsAtOnceLeaveOneOwner(rule: Policy.OwnershipRule) async throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun("claimsOfManyAccountsAtOnceLeaveOneOwner"))
        let accounts = (0..<5).map { AccountID(high: 0x4000 + UInt64($0), low: 0x8000_0000_0000_0000) }
        let lines = (0..<4).map { "line\($0)" }
        let claims = (0..<200).map { _ in
            let facts = Sample.month(
                lines.randomElement(using: &random)!,
                Int.random(in: 0..<6, using: &random),
                token: Int.random(in: 0..<4, using: &random) == 0 ? accounts.randomElement(using: &random) : nil
            )
            let claim = Bool.random(using: &random) ? accounts.randomElement(using: &random) : nil
            return (Sample.upload(facts, claimID: facts.appAccountToken?.description ?? ""), claim)
        }
        try await StoreDatabase.with { database in
            let stores = database.makeStores(4, policy: Self.policy(rule))
            let outcomes = try await withThrowingTaskGroup(of: (AccountID?, AppendOutcome).self) { group in
                for (number, (statement, claim)) in claims.enumerated() {
                    group.addTask { (claim, try await stores[number % 4].append(.statement(statement, claim: claim))) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (claim, outcome) in outcomes {
                if let claim, !outcome.isOwnershipConflict { #expect(outcome.owner == claim, "seed \(random.seed)") }
                if rule == .transferToNewest { #expect(!outcome.isOwnershipConflict, "seed \(random.seed)") }
            }
            let events = try await database.events()
            let fold = ReferenceFold(events)
            for event in events where [.accountLinked, .accountTransferred].contains(event.type) {
                // Each such event moves the line, from nobody or from exactly the owner before.
                let change = fold.ownerChanges.first { $0.position == event.position }
                #expect(change?.after == event.account, "seed \(random.seed)")
                #expect((change?.before == nil) == (event.type == .accountLinked), "seed \(random.seed)")
                if rule == .keepWithOwner { #expect(event.type == .accountLinked, "seed \(random.seed)") }
            }
            for line in lines {
                var owners: [AccountID] = []
                for account in accounts {
                    let snapshot = try await stores[0].snapshot(ofAccount: account, in: .production)
                    if snapshot.account.lines.contains(where: { $0.id == Sample.lineID(line) }) {
                        owners.append(try #require(try await database.pseudonym(of: account)))
                    }
                }
                #expect(owners == [fold.lines[Sample.lineID(line)]?.owner].compactMap(\.self), "seed \(random.seed)")
            }
        }
    }
}
