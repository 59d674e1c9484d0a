import EntitlementDomain
import EventStore
import JSON
import Postgres
import StoreTesting
import Testing

/// Requests that wait for the log's lock go together in one transaction, and do not suffer from each other.
@Suite struct AppendGroupTests {
    @Test func requestsThatWaitShareCommits() async throws {
        let requests = (0..<100).map { AppendRequest.statement(Sample.upload(Sample.month("line\($0)")), claim: nil) }
        try await StoreDatabase.with { database in
            let results = try await LogLock.appendTogether(requests, to: database.makeStore(), in: database)
            let positions = try results.map { try $0.get().events[0].position }
            #expect(positions.sorted() == Array(1...100))
            let commits = try await database.count("SELECT count(DISTINCT xmin::text) FROM entitled.events")
            #expect(commits < 50)
        }
    }

    @Test(arguments: [
        // No JSON.
        Sample.statement(StatementFacts(transaction: Sample.month("poison")), name: "poison", payload: Array("{".utf8)),
        // Text that PostgreSQL's text cannot hold, in a key.
        Sample.statement(StatementFacts(transaction: Sample.month("a\u{0}b")), name: "poison"),
        // Bytes that are no UTF-8, in the payload.
        Sample.statement(StatementFacts(transaction: Sample.month("poison")), name: "poison", payload: [34, 0xFF, 34]),
        // A digest of the wrong length.
        Sample.wrongDigest(Sample.upload(Sample.month("poison"))),
    ])
    func aPoisonedRequestFailsAloneAndLeavesNothing(poison: StatementRecord) async throws {
        var requests = (0..<20).map { AppendRequest.statement(Sample.upload(Sample.month("line\($0)")), claim: nil) }
        requests.insert(.statement(poison, claim: Sample.account), at: 5)
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let results = try await LogLock.appendTogether(requests, to: store, in: database)
            for (index, result) in results.enumerated() {
                switch result {
                case .success(let outcome):
                    #expect(index != 5)
                    #expect(outcome.events.count == 1)
                case .failure(let error):
                    #expect(index == 5, "\(error)")
                    #expect(!error.isTemporary)
                }
            }
            #expect(try await database.events().map(\.position) == Array(1...20))
            #expect(try await database.count("SELECT count(*) FROM entitled.statements") == 20)
            #expect(try await database.owner { try HashChain($0).broken } == [])
            // The store goes on working.
            let after = try await store.append(.statement(Sample.upload(Sample.month("after")), claim: nil))
            #expect(after.head.number == 21)
        }
    }

    @Test func ownersOfAMomentAreRemembered() async throws {
        var policy = Policy()
        policy.ownership = .transferToNewest
        let accounts = (1...4).map { AccountID(high: 0x4000, low: 0x8000_0000_0000_0000 + $0) }
        let statement = Sample.upload(Sample.month("1"))
        try await StoreDatabase.with { database in
            let store = database.makeStore(policy: policy)
            let requests = accounts.map { AppendRequest.statement(statement, claim: $0) }
            _ = try await LogLock.appendTogether(requests, to: store, in: database)
            // What each account had at the moment it owned the line can still be told.
            for change in ReferenceFold(try await database.events()).ownerChanges {
                for account in accounts {
                    let isOwner = change.after == (try await database.pseudonym(of: account))
                    let snapshot = try await store.snapshot(
                        of: .account(account),
                        in: .production,
                        knownAt: .position(LogPosition(epoch: 1, number: change.position))
                    )
                    #expect(snapshot.account.lines.count == (isOwner ? 1 : 0), "at \(change.position)")
                }
            }
        }
    }

    @Test func catalogsOfOneGroupAreAllKept() async throws {
        let documents = try ["pro", "max"].map { grant in
            try Sample.catalog(Sample.catalogText.replacing(#"["pro"]"#, with: "[\"\(grant)\"]"))
        }
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let results = try await LogLock.appendTogether(
                documents.map { .catalog($0.canonicalJSON) },
                to: store,
                in: database
            )
            #expect(try results.map { try $0.get().events.count } == [1, 1])
            #expect(try await database.count("SELECT count(*) FROM entitled.catalogs") == 2)
            for (result, document) in zip(results, documents) {
                let position = try result.get().events[0].position
                let snapshot = try await store.snapshot(
                    of: .line("1"),
                    in: .production,
                    knownAt: .position(LogPosition(epoch: 1, number: position))
                )
                #expect(snapshot.catalog == document.catalog, "at \(position)")
            }
        }
    }
}
