import EntitlementDomain
import EventStore
import JSON
import Postgres
import StoreTesting
import TestKit
import Testing

/// The hash of an event covers the event before and the bytes of its own columns, just as a binary `COPY` writes them.
@Suite struct HashChainTests {
    private static let zeros = [UInt8](repeating: 0, count: 32)

    @Test func everyKindOfEventIsInTheChain() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            _ = try await store.append(.statement(Sample.upload(Sample.month("1")), claim: Sample.account))
            _ = try await store.append(
                .statement(Sample.statement(StatementFacts(namedType: .received), name: "no facts"), claim: nil)
            )
            _ = try await store.append(
                .command(
                    AccountCommand(
                        action: .issueGrant(entitlement: "pro", startsAt: nil, endsAt: Sample.day(9)),
                        subject: .account(Sample.account),
                        environment: .production,
                        identity: nil,
                        payload: Array(#"{"reason": "a gift"}"#.utf8)
                    )
                )
            )
            let chain = try await database.owner { try HashChain($0) }
            #expect(chain.broken == [])
            let types = try await database.events().map(\.type)
            #expect(types == [.catalogChanged, .purchased, .accountLinked, .received, .grantIssued])
            let head = try await database.owner { try $0.query("SELECT hash FROM entitled.log_head").bytes(0, 0) }
            #expect(head == chain.hashes.last)
            #expect(try await database.events().map(\.hash) == chain.hashes)
        }
    }

    @Test func anEmptyLogEndsInZeros() async throws {
        try await StoreDatabase.with { database in
            let head = try await database.owner { try $0.query("SELECT hash FROM entitled.log_head").bytes(0, 0) }
            #expect(head == Self.zeros)
        }
    }

    @Test(arguments: [
        "UPDATE entitled.events SET payload = '{}' WHERE position = 2",
        "UPDATE entitled.events SET recorded_at = recorded_at + interval '1 us' WHERE position = 2",
        "UPDATE entitled.events SET expires_at = NULL WHERE position = 2",
        "UPDATE entitled.events SET hash = decode(repeat('00', 32), 'hex') WHERE position = 2",
    ])
    func aChangedRowBreaksTheChain(change: String) async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            for number in 0..<3 {
                _ = try await store.append(.statement(Sample.upload(Sample.month("1", number)), claim: nil))
            }
            let broken = try await database.owner { session in
                try session.execute("ALTER TABLE entitled.events DISABLE TRIGGER events_append_only; \(change)")
                return try HashChain(session).broken
            }
            #expect(broken.first == 2)
        }
    }

    private static let odd = [
        #"{"n": [1e2, 1.50, -0, -0.0, 1E400, 1e-400, 0e5, 0.1e1, 100e-2, 9007199254740993, 1e999, 1e1000, 1e-998, 1e-999]}"#,
        #"{"n": [12345678901234567890123456789.123456789, -1e-7, 1e0000002, 0.000, 5E+3]}"#,
        #"{"zz": 1, "b": 2, "a": 3, "aa": 4, "": 5, "é": 6, "😀": 7, "aaa": 8, "B": 9}"#,
        #"{"a": 1, "b": 2, "a": {"x": 1, "x": [2]}, "\u0061": "last"}"#,
        #"{"t": "\u0000 \ud800 \udc00 \ud83d\ude00 \u001f \u007f \u2028 \/ \\ \" \b\f\n\r\t"}"#,
        #"{"\u0000": 1, "\ufffd": 2, "\ud800": 3}"#,
        #"{"t": "e\u0301 é ﬁ 漢字 \uffff"}"#,
        #"{"empty": [{}, [], "", null, true, false]}"#,
        #"[]"#, #""text""#, #"null"#, #"0"#, #"  { "white" : [ 1 , 2 ] }  "#,
    ]

    @Test func oddPayloadsAreStoredAsTheirCanonicalTexts() async throws {
        try await expectStoredAsIs(try Self.odd.map { try JSONParser.parse($0).canonicalBytes() })
    }

    @Test func aDeepPayloadIsStoredAsItsCanonicalText() async throws {
        let deep = String(repeating: #"{"a": [1, "#, count: 255) + "{}" + String(repeating: "]}", count: 255)
        try await expectStoredAsIs([try JSONParser.parse(Array(deep.utf8), maxDepth: 512).canonicalBytes()])
    }

    @Test func randomPayloadsAreStoredAsTheirCanonicalTexts() async throws {
        let seed = SeededGenerator.seedOfThisRun("randomPayloadsAreStoredAsTheirCanonicalTexts")
        var random = RandomJSON(generator: SeededGenerator(seed: seed))
        try await expectStoredAsIs(
            (0..<400).map { _ in JSONValue.object(random.object(depth: 5)).canonicalBytes() },
            seed
        )
    }

    /// Appends statements with these payloads and compares what the server makes of them, and the hashes over it.
    private func expectStoredAsIs(_ payloads: [[UInt8]], _ seed: UInt64 = 0) async throws {
        try await StoreDatabase.with { database in
            let stores = database.makeStores(2)
            let positions = try await withThrowingTaskGroup(of: (Int, Int64).self) { group in
                for (index, payload) in payloads.enumerated() {
                    let statement = Sample.statement(
                        StatementFacts(transaction: Sample.month("line\(index % 7)", index)),
                        name: "\(index)",
                        payload: payload
                    )
                    group.addTask {
                        let outcome = try await stores[index % 2].append(.statement(statement, claim: nil))
                        return (index, outcome.events[0].position)
                    }
                }
                return try await group.reduce(into: [Int: Int64]()) { $0[$1.0] = $1.1 }
            }
            let chain = try await database.owner { try HashChain($0) }
            #expect(chain.broken == [], "seed \(seed)")
            #expect(chain.payloads.count == payloads.count)
            for (index, payload) in payloads.enumerated() {
                let stored = chain.payloads[Int(positions[index]!) - 1]
                #expect(
                    stored == payload,
                    "\(String(decoding: payload, as: UTF8.self)) became \(String(decoding: stored, as: UTF8.self)), seed \(seed)"
                )
            }
        }
    }

    @Test func allColumnsOfRandomFactsAreInTheChain() async throws {
        let seed = SeededGenerator.seedOfThisRun("allColumnsOfRandomFactsAreInTheChain")
        var random = RandomFacts(generator: SeededGenerator(seed: seed), lines: 5)
        let statements = (0..<200).map { number in
            let facts = random.facts()
            return Sample.statement(facts, name: "\(number)", line: facts.transaction == nil ? random.line() : nil)
        }
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for statement in statements {
                    group.addTask { _ = try await store.append(.statement(statement, claim: nil)) }
                }
                try await group.waitForAll()
            }
            let chain = try await database.owner { try HashChain($0) }
            #expect(chain.hashes.count == 200)
            #expect(chain.broken == [], "seed \(seed)")
        }
    }
}
