import EntitlementDomain
import EventStore
import Postgres
import Testing
import X509

/// Law 3: a statement has one effect, however often, wherever and together with what else it is delivered.
@Suite struct ExactlyOnceTests {
    @Test func aStatementDeliveredFiftyTimesAtOnceHasOneEffect() async throws {
        let statement = Sample.upload(Sample.month("1", token: Sample.account))
        try await StoreDatabase.with { database in
            let stores = database.makeStores(4)
            let outcomes = try await withThrowingTaskGroup(of: AppendOutcome.self) { group in
                for number in 0..<50 {
                    group.addTask { try await stores[number % 4].append(.statement(statement, claim: nil)) }
                }
                return try await group.reduce(into: [AppendOutcome]()) { $0.append($1) }
            }
            #expect(outcomes.count { !$0.events.isEmpty } == 1)
            #expect(outcomes.count(where: \.isDuplicate) == 49)
            #expect(outcomes.allSatisfy { $0.head == LogPosition(epoch: 1, number: 1) && $0.owner == Sample.account })
            try await expectOneEffect(of: statement, in: database)

            // After a restart nothing is in memory any more.
            let later = try await database.makeStore().append(.statement(statement, claim: nil))
            #expect(later.isDuplicate)
            #expect(later.owner == Sample.account)
            try await expectOneEffect(of: statement, in: database)
        }
    }

    private func expectOneEffect(of statement: StatementRecord, in database: StoreDatabase) async throws {
        let events = try await database.events()
        #expect(events.map(\.statementID) == [statement.identity])
        #expect(events.map(\.type) == [.purchased])
        #expect(try await database.count("SELECT count(*) FROM entitled.evidence") == 1)
        #expect(try await database.count("SELECT count(*) FROM entitled.lines") == 1)
        let (id, position) = try await database.owner { session in
            let result = try session.query("SELECT statement_id, position FROM entitled.statements")
            return (try result.bytes(0, 0), try result.int64(0, 1))
        }
        #expect(id == statement.identity)
        #expect(position == 1)
        #expect(try await database.count("SELECT count(*) FROM entitled.statements") == 1)
    }

    /// A group that was taken for new and is not, in the middle of it: nothing of the first try remains, and all else of it
    /// has its effect.
    @Test(arguments: [true, false])
    func aKnownStatementAmongNewOnesTakesNothingFromThem(isKnownByItsText: Bool) async throws {
        let old = Sample.upload(Sample.month("old"))
        var known = old
        if !isKnownByItsText {
            let text = Array("the same purchase in another text".utf8)
            known.evidence = [StatementRecord.Evidence(digest: SHA256.hash(text).bytes, text: text)]
        }
        let new = (0..<20).map { AppendRequest.statement(Sample.upload(Sample.month("new\($0)")), claim: nil) }
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.statement(old, claim: nil))
            let outcomes = try await store.append(
                new[..<10] + [.statement(known, claim: Sample.account)] + new[10...]
            )
            #expect(outcomes.map(\.events.count) == Array(repeating: 1, count: 21))
            #expect(outcomes[10].events.map(\.type) == [.accountLinked])
            #expect(outcomes.map(\.events[0].position) == Array(2...22))
            #expect(try await database.count("SELECT count(*) FROM entitled.events") == 22)
            #expect(try await database.count("SELECT count(*) FROM entitled.statements") == 21)
            #expect(try await database.count("SELECT count(*) FROM entitled.evidence") == 21)
        }
    }

    @Test func aNotificationIsKnownByItsUUIDWhateverItsTextIs() async throws {
        let uuid = [UInt8](repeating: 7, count: 16)
        func notification(_ text: String) -> StatementRecord {
            Sample.statement(
                StatementFacts(transaction: Sample.month("1"), namedType: .purchased),
                name: text,
                identity: uuid,
                source: .notification
            )
        }
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let first = try await store.append(.statement(notification("first"), claim: nil))
            let second = try await store.append(.statement(notification("signed anew"), claim: nil))
            #expect(first.events.count == 1)
            #expect(second.isDuplicate)
            #expect(try await database.events().count == 1)
            #expect(try await database.count("SELECT count(*) FROM entitled.evidence") == 1)
        }
    }

    @Test func theSameTransactionFromDeviceAndNotificationIsToldOfOnce() async throws {
        let facts = Sample.month("1", token: Sample.account)
        let notification = Sample.statement(
            StatementFacts(transaction: facts, namedType: .purchased),
            name: "notification",
            identity: [UInt8](repeating: 7, count: 16),
            source: .notification
        )
        for order in [[Sample.upload(facts), notification], [notification, Sample.upload(facts)]] {
            try await StoreDatabase.with { database in
                let store = database.makeStore()
                for statement in order { _ = try await store.append(.statement(statement, claim: nil)) }
                let events = try await database.events()
                #expect(events.map(\.type) == [.purchased, .confirmed])
                #expect(events.map(\.source) == order.map(\.source))
                #expect(ReferenceFold(events).lines[Sample.lineID("1")]?.transactions.count == 1)
            }
        }
    }

    @Test func aStatementWithoutALineIsStoredOnce() async throws {
        let statement = Sample.statement(StatementFacts(namedType: .received), name: "a kind not known yet")
        try await StoreDatabase.with { database in
            let stores = database.makeStores(2)
            for store in stores + stores { _ = try await store.append(.statement(statement, claim: Sample.account)) }
            let events = try await database.events()
            #expect(events.map(\.type) == [.received])
            #expect(events[0].line == nil)
            #expect(events[0].evidenceDigests == statement.evidence.map(\.digest))
            #expect(try await database.count("SELECT count(*) FROM entitled.lines") == 0)
        }
    }

    @Test func evidenceThatTwoStatementsShareIsStoredOnce() async throws {
        let text = Array("the same signed text".utf8)
        let evidence = StatementRecord.Evidence(digest: SHA256.hash(text).bytes, text: text)
        let statements = (1...20).map { number in
            var statement = Sample.upload(Sample.month("line\(number % 3)", number))
            statement.evidence.append(evidence)
            return statement
        }
        try await StoreDatabase.with { database in
            let stores = database.makeStores(2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, statement) in statements.enumerated() {
                    group.addTask { _ = try await stores[number % 2].append(.statement(statement, claim: nil)) }
                }
                try await group.waitForAll()
            }
            #expect(try await database.count("SELECT count(*) FROM entitled.evidence") == 21)
            #expect(try await database.events().allSatisfy { $0.evidenceDigests.contains(evidence.digest) })
        }
    }

    /// The same when the purchase comes into the log in the claim's own group.
    @Test func aClaimInOneGroupNamesATextThatWasStoredBefore() async throws {
        let first = Sample.upload(Sample.month("1"))
        let text = Array("the same purchase in another text".utf8)
        var again = first
        again.evidence = [StatementRecord.Evidence(digest: SHA256.hash(text).bytes, text: text)]
        var other = Sample.upload(Sample.month("2"))
        other.evidence = again.evidence
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.statement(other, claim: nil))
            _ = try await store.append([.statement(first, claim: nil), .statement(again, claim: Sample.account)])
            let events = try await database.events()
            #expect(events.map(\.type) == [.purchased, .purchased, .accountLinked])
            #expect(events[2].evidenceDigests == again.evidence.map(\.digest))
        }
    }

    /// A claim on a purchase that is in the log names the text it came with, if that is kept.
    @Test(arguments: [true, false]) func aLaterClaimNamesNoTextThatIsNotStored(isSameText: Bool) async throws {
        let first = Sample.upload(Sample.month("1"))
        var again = first
        if !isSameText {
            let text = Array("the same purchase in another text".utf8)
            again.evidence = [StatementRecord.Evidence(digest: SHA256.hash(text).bytes, text: text)]
        }
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.statement(first, claim: nil))
            _ = try await store.append(.statement(again, claim: Sample.account))
            let events = try await database.events()
            #expect(events.map(\.type) == [.purchased, .accountLinked])
            #expect(events[1].evidenceDigests == (isSameText ? first.evidence.map(\.digest) : []))
        }
    }
}
