import EntitlementDomain
import Postgres
import TestKit
import Testing

@testable import EventStore

/// Law 11, first part: the log folded from nothing is what the live path has projected, byte for byte.
@Suite struct ReplayTests {
    @Test func theProjectionsAreTheFoldOfTheLog() async throws {
        let seed = SeededGenerator.seedOfThisRun("theProjectionsAreTheFoldOfTheLog")
        try await StoreDatabase.with { database in
            var policy = Policy()
            policy.ownership = .transferToNewest
            let stores = database.makeStores(3, policy: policy)
            _ = try await stores[0].append(.catalog(try Sample.catalog().canonicalJSON))
            var random = RandomWork(seed: seed)
            try await perform((0..<400).map { random.request("\($0)") }, on: stores)
            try await expectFolded(database, catalog: try Sample.catalog().catalog, policy: policy, seed)
        }
    }

    @Test func aChangeOfTheCatalogReachesTheProjections() async throws {
        let seed = SeededGenerator.seedOfThisRun("aChangeOfTheCatalogReachesTheProjections")
        // The same products grant other things.
        let changed = Sample.catalogText.replacing(#"["pro"]"#, with: #"["max"]"#)
        try await StoreDatabase.with { database in
            let stores = database.makeStores(2)
            _ = try await stores[0].append(.catalog(try Sample.catalog().canonicalJSON))
            var random = RandomWork(seed: seed)
            try await perform((0..<100).map { random.request("a\($0)") }, on: stores)
            let document = try Sample.catalog(changed)
            _ = try await stores[1].append(.catalog(document.canonicalJSON))
            try await expectFolded(database, catalog: document.catalog, policy: Policy(), seed)
            try await perform((0..<100).map { random.request("b\($0)") }, on: stores)
            try await expectFolded(database, catalog: document.catalog, policy: Policy(), seed)
        }
    }

    private func perform(_ requests: [AppendRequest], on stores: [PostgresEventStore]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, request) in requests.enumerated() {
                group.addTask { _ = try await stores[number % stores.count].append(request) }
            }
            try await group.waitForAll()
        }
    }

    private func expectFolded(
        _ database: StoreDatabase,
        catalog: Catalog,
        policy: Policy,
        _ seed: UInt64
    ) async throws {
        let events = try await database.events()
        let expected = ProjectedRows(events, catalog: catalog, policy: policy)
        let found = try await database.owner { try ProjectedRows($0) }
        for (table, rows) in found.tables {
            #expect(rows.subtracting(expected.tables[table]!).sorted() == [], "rows too many in \(table), seed \(seed)")
            #expect(expected.tables[table]!.subtracting(rows).sorted() == [], "rows missing in \(table), seed \(seed)")
        }
        // The product's own fold must agree with the reference.
        var fold = LogFold()
        for event in events { fold.apply(event) }
        let isSameFold = fold.lines == ReferenceFold(events).lines
        #expect(isSameFold, "seed \(seed)")
    }
}
