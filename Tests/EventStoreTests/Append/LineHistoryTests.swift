import EntitlementDomain
import Foundation
import Postgres
import TestKit
import Testing

@testable import EventStore

/// Long lines: a renewal reads and writes a head of bounded length, and everything is as if the whole line were read.
@Suite struct LineHistoryTests {
    @Test func theProjectionsOfLongLinesAreTheFoldOfTheLog() async throws {
        let seed = SeededGenerator.seedOfThisRun("theProjectionsOfLongLinesAreTheFoldOfTheLog")
        try await StoreDatabase.with { database in
            let stores = database.makeStores(2)
            let catalog = try Sample.catalog()
            _ = try await stores[0].append(.catalog(catalog.canonicalJSON))
            var work = LongLines(seed: seed)
            let requests = (0..<300).map { work.request("\($0)") }
            // One after the other at first, then many in one group.
            for (number, request) in requests.prefix(200).enumerated() {
                _ = try await stores[number % 2].append(request)
            }
            _ = try await LogLock.appendTogether(Array(requests.suffix(100)), to: stores[0], in: database)

            let events = try await database.events()
            let expected = ProjectedRows(events, catalog: catalog.catalog, policy: Policy()).tables
            #expect(expected["line_history"]!.count > 20)
            let found = try await database.owner { try ProjectedRows($0).tables }
            for (table, rows) in found {
                #expect(rows.subtracting(expected[table]!).sorted() == [], "too many in \(table), seed \(seed)")
                #expect(expected[table]!.subtracting(rows).sorted() == [], "missing in \(table), seed \(seed)")
            }
            expectLabels(of: events, catalog.catalog, seed)

            let configuration = PostgresConfiguration(connectionString: database.ownerConnectionString)
            let report = try await replay().compare(configuration)
            #expect(report.isEqual, "seed \(seed): \(report.differences.prefix(3))")
            _ = try await ProjectionRebuild(
                policy: Policy(),
                sessions: 2,
                workDirectory: FileManager.default.temporaryDirectory,
                program: "tests"
            ).run(configuration)
            #expect(try await database.owner { try ProjectedRows($0).tables } == found, "seed \(seed)")
        }
    }

    /// The labels are those that the whole line would have given.
    private func expectLabels(of events: [EventRecord], _ catalog: Catalog, _ seed: UInt64) {
        var lines: [LineID: LineState] = [:]
        for event in events {
            guard let id = event.line else { continue }
            let facts = StatementFacts(transaction: event.transaction, renewal: event.renewal)
            if event.source == .upload, event.account == nil {
                let type = (lines[id] ?? LineState(id: id)).eventType(for: facts, catalog: catalog)
                #expect(event.type == type, "position \(event.position), seed \(seed)")
            }
            lines[id, default: LineState(id: id)].apply(event)
        }
    }

    private func replay() -> ProjectionReplay {
        ProjectionReplay(policy: Policy(), sessions: 2, workDirectory: FileManager.default.temporaryDirectory)
    }

    private func withLongLine(
        _ periods: Int = 40,
        _ body: (StoreDatabase, PostgresEventStore) async throws -> Void
    ) async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            for number in 0..<periods {
                let month = Sample.month("1", number, token: number == 0 ? Sample.account : nil)
                _ = try await store.append(.statement(Sample.upload(month), claim: nil))
            }
            try await body(database, store)
        }
    }

    @Test func aRenewalReadsNothingOfTheHistory() async throws {
        try await withLongLine { database, store in
            #expect(try await database.count("SELECT count(*) FROM entitled.line_history") > 30)
            #expect(try await database.count("SELECT max(octet_length(state)) FROM entitled.lines") < 1_500)
            // Who reads this cannot go on.
            try await database.owner { try $0.execute("UPDATE entitled.line_history SET state = '\\x63'") }
            let renewal = try await store.append(.statement(Sample.upload(Sample.month("1", 40)), claim: nil))
            #expect(renewal.events.map(\.type) == [.resubscribed])
            let snapshot = try await store.snapshot(ofAccount: Sample.account, in: .production)
            let answer = snapshot.account.answer(at: Sample.day(1_210), catalog: snapshot.catalog, policy: Policy())
            #expect(answer[entitlement: "pro"]?.decisive.transactionID == "1-40")
            // A refund of an earlier month must read it.
            var refund = Sample.month("1", 10)
            refund.revokedAt = Sample.day(1_205)
            refund.signedAt = Sample.day(1_205)
            let error = try await storeError { try await store.append(.statement(Sample.upload(refund), claim: nil)) }
            #expect("\(String(describing: error))".contains("run 'entitled rebuild'"))
        }
    }

    @Test func earlierInstantsAreAnsweredFromTheWholeLine() async throws {
        try await withLongLine { database, store in
            var fold = LogFold()
            for event in try await database.events() { fold.apply(event) }
            let pseudonym = try #require(try await database.pseudonym(of: Sample.account))
            let whole = fold.account(pseudonym, in: .production)
            let head = try await store.snapshot(ofAccount: Sample.account, in: .production)
            #expect(head.account.answersFrom > Sample.day(1_000))
            let read = [
                try await store.snapshot(ofAccount: Sample.account, in: .production, reach: .whole),
                try await store.snapshot(ofLine: "1", in: .production, reach: .whole),
            ].map(\.account)
            let many = try await store.snapshots(ofAccounts: [Sample.account], in: .production, reach: .whole)
            for account in read + [many.accounts[Sample.account]!] { #expect(account == whole) }
            for day in stride(from: 0, to: 1_300, by: 7) where Sample.day(day) >= head.account.answersFrom {
                let answers = [head.account, whole].map {
                    $0.answer(at: Sample.day(day), catalog: head.catalog, policy: Policy())
                }
                #expect(answers[0] == answers[1])
            }
        }
    }

    @Test func aGroupIsDecidedAgainWhenItReachesBehindTheCut() async throws {
        try await withLongLine { database, store in
            // The first is signed before the cut, which only shows when it is folded; the others need the head alone.
            var early = Sample.month("1", 40)
            early.signedAt = Sample.day(3)
            let requests: [AppendRequest] = [
                .statement(Sample.upload(early), claim: nil),
                .statement(Sample.upload(Sample.month("1", 41)), claim: nil),
                .statement(Sample.upload(Sample.month("2", token: Sample.otherAccount)), claim: nil),
            ]
            let results = try await LogLock.appendTogether(requests, to: store, in: database)
            #expect(try results.map { try $0.get().events.count } == [1, 1, 1])
            let catalog = try Sample.catalog().catalog
            let expected = ProjectedRows(try await database.events(), catalog: catalog, policy: Policy()).tables
            #expect(try await database.owner { try ProjectedRows($0).tables } == expected)
        }
    }

    @Test(arguments: [
        "DELETE FROM entitled.line_history WHERE transaction_id = '1-5'",
        "UPDATE entitled.line_history SET state = '\\x63' WHERE transaction_id = '1-5'",
        "UPDATE entitled.line_history SET web_order_line_item_id = 'w' WHERE transaction_id = '1-5'",
        """
        INSERT INTO entitled.line_history
        SELECT environment, line_id, bundle_id, store, ownership, 'x', web_order_line_item_id, state
        FROM entitled.line_history WHERE transaction_id = '1-5'
        """,
    ])
    func aDamageToTheHistoryIsNamedAndMended(damage: String) async throws {
        try await withLongLine(12) { database, store in
            let live = try await database.owner { try ProjectedRows($0).tables }
            let seen = try await store.changes(FeedQuery(limit: 10))
            try await database.owner { try $0.execute(damage) }
            let configuration = PostgresConfiguration(connectionString: database.ownerConnectionString)
            let report = try await replay().compare(configuration)
            #expect(report.differences.map(\.table) == [.lineHistory])
            #expect(report.differences.map(\.account) == [Sample.account])
            let one = try await AccountReplay(
                account: Sample.account,
                environment: .production,
                policy: Policy(),
                instant: Sample.day(400)
            ).compare(configuration)
            #expect(one.differences.contains { $0.table == .lineHistory })
            _ = try await ProjectionRebuild(
                policy: Policy(),
                sessions: 1,
                workDirectory: FileManager.default.temporaryDirectory,
                program: "tests"
            ).run(configuration)
            #expect(try await database.owner { try ProjectedRows($0).tables } == live)
            // Whoever follows the feed reads the account again, unless its facts were right all the time.
            let news = try await store.changes(FeedQuery(after: seen.position, limit: 10)).changes
            #expect(news.map(\.account) == (damage.contains("item_id = 'w'") ? [] : [Sample.account]))
        }
    }
}
