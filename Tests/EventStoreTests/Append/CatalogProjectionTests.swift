import EntitlementDomain
import Postgres
import TestKit
import Testing

@testable import EventStore

/// A catalog that comes into force reaches the rows of `entitlements` of a log of any length, through crashes, other
/// catalogs and appends meanwhile.
@Suite struct CatalogProjectionTests {
    private static let length = 2 * CatalogProjection.pageLength + 300

    /// The sample catalog with other grants for pro.monthly.
    private func catalog(granting grants: String) throws -> CatalogDocument {
        try Sample.catalog(Sample.catalogText.replacing(#""grants": ["pro"] },"#, with: "\"grants\": [\(grants)] },"))
    }

    @Test func aLongLogFollowsPageByPage() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            try await fill(store, Self.length)
            let changed = try catalog(granting: #""max""#)
            _ = try await store.append(.catalog(changed.canonicalJSON))
            // The event's own transaction has done one page.
            #expect(try await count(database, "entitlement = 'max'") == Int64(CatalogProjection.pageLength))
            #expect(try await count(database, "entitlement = 'pro'") > 0)
            #expect(try await store.followCatalog(upTo: .seconds(60)))
            try await expectRows(database, changed.catalog)
            #expect(try await count(database, "entitlement = 'pro'") == 0)
        }
    }

    @Test func anotherInstanceGoesOnAfterACrash() async throws {
        try await StoreDatabase.with { database in
            let first = database.makeStore()
            try await fill(first, Self.length)
            let document = try Sample.catalog()
            _ = try await first.append(.catalog(document.canonicalJSON))
            await first.close()
            let done = try await database.count("SELECT count(*) FROM entitled.catalog_walk WHERE is_done")
            #expect(done == 0)
            // No time for a page: nothing is done, and nothing is lost.
            let second = database.makeStore()
            #expect(try await !second.followCatalog(upTo: .zero))
            #expect(try await second.followCatalog(upTo: .seconds(60)))
            #expect(try await second.followCatalog(upTo: .zero))
            try await expectRows(database, document.catalog)
        }
    }

    @Test func aCatalogThatComesMeanwhileIsFollowedInstead() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            try await fill(store, Self.length)
            let grants = [#""pro""#, #""max""#, #""pro", "max""#, ""]
            var last = try catalog(granting: grants[0])
            for grant in grants {
                last = try catalog(granting: grant)
                _ = try await store.append(.catalog(last.canonicalJSON))
            }
            #expect(try await store.followCatalog(upTo: .seconds(60)))
            try await expectRows(database, last.catalog)
            // Back to the one that all rows follow, after a walk that was cut short.
            _ = try await store.append(.catalog(try catalog(granting: grants[1]).canonicalJSON))
            _ = try await store.append(.catalog(last.canonicalJSON))
            #expect(try await store.followCatalog(upTo: .seconds(60)))
            try await expectRows(database, last.catalog)
        }
    }

    @Test func appendsAndInstancesMayComeBetween() async throws {
        try await StoreDatabase.with { database in
            let stores = database.makeStores(3)
            _ = try await stores[0].append(.catalog(try Sample.catalog().canonicalJSON))
            try await fill(stores[0], Self.length)
            let changed = try catalog(granting: #""max""#)
            _ = try await stores[0].append(.catalog(changed.canonicalJSON))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores {
                    group.addTask {
                        let isDone = try await store.followCatalog(upTo: .seconds(60))
                        #expect(isDone)
                    }
                }
                for number in stride(from: 0, to: Self.length, by: 7) {
                    group.addTask {
                        let product = number.isMultiple(of: 2) ? "pro.monthly" : "max.monthly"
                        let facts = Sample.month(Self.line(number), 1, product: product)
                        _ = try await stores[number % 3].append(.statement(Sample.upload(facts), claim: nil))
                    }
                }
                try await group.waitForAll()
            }
            try await expectRows(database, changed.catalog)
        }
    }

    @Test func linesOfOtherProductsAreLeftAlone() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            for (number, product) in ["pro.monthly", "max.monthly"].enumerated() {
                let facts = Sample.month(Self.line(number), product: product)
                _ = try await store.append(.statement(Sample.upload(facts), claim: nil))
            }
            let written = "SELECT max(xmin::text::bigint) FROM entitled.entitlements WHERE product_id = 'max.monthly'"
            let before = try await database.count(written)
            _ = try await store.append(.catalog(try catalog(granting: #""max""#).canonicalJSON))
            #expect(try await database.count(written) == before)
            #expect(try await count(database, "product_id = 'pro.monthly' AND entitlement = 'max'") == 1)
        }
    }

    @Test func aLineThatCannotBeReadDoesNotHoldUpTheOthers() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            try await fill(store, 3)
            let broken = Self.line(1)
            try await database.owner { session in
                _ = try session.query(
                    "UPDATE entitled.lines SET state = '\\xff'::bytea || state WHERE line_id = '\(broken)'"
                )
            }
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            #expect(try await store.followCatalog(upTo: .seconds(60)))
            #expect(try await count(database, "line_id <> '\(broken)'") == 2)
        }
    }

    // MARK: Shared

    private static func line(_ number: Int) -> String {
        // Not in the order of the numbers.
        String(1_000 + number * 7_919 % 100_003)
    }

    /// Appends a month of pro.monthly for each of that many lines.
    private func fill(_ store: PostgresEventStore, _ length: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<length {
                group.addTask {
                    let facts = Sample.month(Self.line(number), token: Sample.account)
                    _ = try await store.append(.statement(Sample.upload(facts), claim: nil))
                }
            }
            try await group.waitForAll()
        }
    }

    private func count(_ database: StoreDatabase, _ condition: String) async throws -> Int64 {
        try await database.count("SELECT count(*) FROM entitled.entitlements WHERE \(condition)")
    }

    private func expectRows(_ database: StoreDatabase, _ catalog: Catalog) async throws {
        let expected = ProjectedRows(try await database.events(), catalog: catalog, policy: Policy())
        let found = try await database.owner { try ProjectedRows($0) }
        let isSame = found.tables["entitlements"] == expected.tables["entitlements"]
        #expect(isSame)
    }
}
