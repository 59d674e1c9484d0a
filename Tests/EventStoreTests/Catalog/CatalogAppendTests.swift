import EntitlementDomain
import EventStore
import JSON
import Testing

/// A catalog comes into force as an event.
@Suite struct CatalogAppendTests {
    @Test func theSameCatalogAgainChangesNothing() async throws {
        let json = try Sample.catalog().canonicalJSON
        // The same document with other white space and another order of members.
        let same = try JSONParser.parse(Array(Sample.catalogText.replacing("\n", with: " \n ").utf8))
        let reordered = JSONValue.object(JSONObject(same.objectValue!.members.reversed())).serialized()
        try await StoreDatabase.with { database in
            let stores = database.makeStores(2)
            #expect(try await stores[0].append(.catalog(json)).events.map(\.type) == [.catalogChanged])
            for store in stores {
                let again = try await store.append(.catalog(try CatalogDocument.read(reordered).canonicalJSON))
                #expect(again.isDuplicate)
                #expect(again.head.number == 1)
                #expect(try await store.catalogJSON() == json)
            }
            #expect(try await database.events().map(\.payload) == [json])
            #expect(try await database.count("SELECT count(*) FROM entitled.catalogs") == 1)
        }
    }

    @Test func theSameCatalogFromManyInstancesAtOnceIsOneEvent() async throws {
        let json = try Sample.catalog().canonicalJSON
        try await StoreDatabase.with { database in
            let stores = database.makeStores(4)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 { group.addTask { _ = try await stores[number % 4].append(.catalog(json)) } }
                try await group.waitForAll()
            }
            #expect(try await database.events().count == 1)
        }
    }

    @Test func anotherCatalogIsSeenByEveryInstance() async throws {
        let first = try Sample.catalog()
        let second = try Sample.catalog(Sample.catalogText.replacing(#"["pro"]"#, with: #"["max"]"#))
        try await StoreDatabase.with { database in
            let (writing, reading) = (database.makeStore(), database.makeStore())
            #expect(try await reading.catalogJSON() == nil)
            #expect(try await reading.snapshot(ofLine: "1", in: .production).catalog == .empty)
            for (number, document) in [first, second, first].enumerated() {
                let outcome = try await writing.append(.catalog(document.canonicalJSON))
                #expect(outcome.events.map(\.position) == [Int64(number) + 1])
                #expect(try await reading.catalogJSON() == document.canonicalJSON)
                #expect(try await reading.snapshot(ofLine: "1", in: .production).catalog == document.catalog)
            }
        }
    }
}
