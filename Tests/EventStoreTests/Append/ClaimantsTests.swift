import EntitlementDomain
import EventStore
import Postgres
import TestKit
import Testing

/// What an append tells of the account that claims is what a look-up behind it would find.
@Suite struct ClaimantsTests {
    @Test func itIsWhatALookUpFinds() async throws {
        let seed = SeededGenerator.seedOfThisRun("itIsWhatALookUpFinds")
        for isLong in [false, true] {
            try await StoreDatabase.with { database in
                let store = database.makeStore()
                _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
                var (work, lines) = (RandomWork(seed: seed), LongLines(seed: seed))
                var count = 0
                for number in 0..<300 {
                    let request = isLong ? lines.request("\(number)") : work.request("\(number)")
                    let outcome = try await store.append(request, asks: true)
                    guard case .statement(let statement, let claim?) = request, outcome.refusal == nil else {
                        #expect(outcome.claimant == nil, "seed \(seed), \(number)")
                        continue
                    }
                    let found = try await store.snapshot(ofAccount: claim, in: statement.environment)
                    #expect(outcome.claimant == found, "seed \(seed), \(number)")
                    count += 1
                }
                // Long lines are claimed seldom: some ten times.
                #expect(count > 0, "seed \(seed)")
            }
        }
    }

    @Test func requestsOfOneGroupAreToldOfItsEnd() async throws {
        let seed = SeededGenerator.seedOfThisRun("requestsOfOneGroupAreToldOfItsEnd")
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            var random = SeededGenerator(seed: seed)
            var compared = 0
            for wave in 0..<12 {
                // A few accounts buy at the same time, some of them twice; half of them are new.
                let claims = (0..<24).map { _ in
                    AccountID(
                        high: 0x4000 + UInt64.random(in: 0..<8, using: &random),
                        low: 0x8000_0000_0000_0000 | UInt64(wave / 2)
                    )
                }
                let outcomes = try await withThrowingTaskGroup(of: (AccountID, AppendOutcome).self) { group in
                    for (number, claim) in claims.enumerated() {
                        group.addTask {
                            let statement = Sample.upload(Sample.month("\(wave)-\(number)", token: claim))
                            return (claim, try await store.append(.statement(statement, claim: claim), asks: true))
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let head = try await store.position()
                for (claim, outcome) in outcomes where outcome.head == head {
                    #expect(try await store.snapshot(ofAccount: claim, in: .production) == outcome.claimant)
                    compared += 1
                }
                for (claim, outcome) in outcomes {
                    let told = try #require(outcome.claimant)
                    #expect(told.position == outcome.head)
                    #expect(told.account.lines.allSatisfy { $0.owner != nil }, "\(claim)")
                }
            }
            #expect(compared >= 12, "seed \(seed)")
        }
    }

    @Test func nobodyIsToldWithoutAsking() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let request = AppendRequest.statement(Sample.upload(Sample.month("1")), claim: Sample.account)
            #expect(try await store.append(request).claimant == nil)
            // Known by now, and asked for.
            let again = try await store.append(request, asks: true)
            #expect(again.isDuplicate && again.claimant?.account.lines.count == 1)
            let other = AppendRequest.statement(Sample.upload(Sample.month("1", 1)), claim: Sample.otherAccount)
            let refused = try await store.append(other, asks: true)
            #expect(refused.isOwnershipConflict && refused.claimant == nil)
        }
    }

    /// The group is durable when the facts are taken apart: what cannot be read must not make it be written again.
    @Test func whatCannotBeReadDisturbsNobodyElse() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let bad = Sample.upload(Sample.month("bad", token: Sample.account))
            _ = try await store.append(.statement(bad, claim: Sample.account))
            try await database.owner { try $0.execute("UPDATE entitled.lines SET state = '\\x63'") }
            let hold = AppendRequest.command(
                AccountCommand(
                    action: .placeHold(entitlement: nil),
                    subject: .account(Sample.otherAccount),
                    environment: .production,
                    identity: nil,
                    payload: Array("{}".utf8)
                )
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let statement = Sample.upload(Sample.month("\(number)", token: Sample.account))
                        let request = AppendRequest.statement(statement, claim: Sample.account)
                        let outcome = try await store.append(request, asks: true)
                        #expect(outcome.events.map(\.type) == [.purchased])
                        #expect(outcome.claimant == nil)
                    }
                    group.addTask {
                        let outcome = try await store.append(hold)
                        #expect(outcome.events.map(\.type) == [.holdPlaced])
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.events().count(where: { $0.type == .holdPlaced }) == 20)
            #expect(try await database.events().count == 41)
        }
    }

    /// Many who ask for one account cost one reading of it.
    @Test func oneAccountIsReadOnce() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            for number in 0..<30 {
                let statement = Sample.upload(Sample.month("old\(number)", token: Sample.account))
                _ = try await store.append(.statement(statement, claim: Sample.account))
            }
            let outcomes = try await withThrowingTaskGroup(of: AppendOutcome.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let statement = Sample.upload(Sample.month("new\(number)", token: Sample.account))
                        return try await store.append(.statement(statement, claim: Sample.account), asks: true)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let head = try await store.position()
            let last = outcomes.filter { $0.head == head }
            #expect(!last.isEmpty && last.allSatisfy { $0.claimant?.account.lines.count == 70 })
        }
    }

    /// The end of the group counts: who was erased behind the purchase has nothing to be told.
    @Test func whatComesBehindInTheGroupCounts() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let facts = (0..<30).map { Sample.month("\($0)", token: Sample.account) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for fact in facts {
                    group.addTask {
                        let request = AppendRequest.statement(Sample.upload(fact), claim: Sample.account)
                        let outcome = try await store.append(request, asks: true)
                        if outcome.refusal == .accountErased { return #expect(outcome.claimant == nil) }
                        // Either before the erasure, or it was not told.
                        #expect(outcome.claimant?.account.lines.isEmpty != true)
                    }
                }
                group.addTask { _ = try await store.append(.command(Sample.erasure(of: Sample.account))) }
                try await group.waitForAll()
            }
        }
    }
}
