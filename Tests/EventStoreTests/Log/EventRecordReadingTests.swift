import EntitlementDomain
import Postgres
import TestKit
import Testing

@testable import EventStore

/// What is read back from the columns is what was written into them.
@Suite struct EventRecordReadingTests {
    @Test func randomEventsComeBackAsTheyWereByCopyAndByQuery() async throws {
        let seed = SeededGenerator.seedOfThisRun("randomEventsComeBackAsTheyWereByCopyAndByQuery")
        var random = RandomFacts(generator: SeededGenerator(seed: seed), lines: 5)
        let written = (1...300).map { Self.event(&random, position: Int64($0)) }
        try await StoreDatabase.with { database in
            try await database.owner { session in
                _ = try session.copyIn(EventCopy.command) { writer in
                    for event in written { try EventCopy.write(EventRow(event), hash: event.hash, to: writer) }
                }
            }
            #expect(try await database.events() == written, "seed \(seed)")
            let queried = try await database.owner { session in
                let result = try session.query("SELECT \(EventRecord.columns) FROM entitled.events ORDER BY position")
                return try result.rows.map { try EventRecord(result, $0) }
            }
            #expect(queried == written, "seed \(seed)")
            let whole = try await database.owner { session in
                var events: [EventRecord] = []
                try session.copyOutRows("COPY (SELECT * FROM entitled.events) TO STDOUT WITH (FORMAT binary)") {
                    events.append(try EventRecord($0))
                }
                return events.sorted { $0.position < $1.position }
            }
            #expect(whole == written, "seed \(seed)")
        }
    }

    private static func event(_ random: inout RandomFacts, position: Int64) -> EventRecord {
        let facts = random.facts()
        let line = facts.transaction == nil ? random.line() : nil
        let isCommand = random.chance(20)
        return EventRecord(
            position: position,
            eventID: TimeOrderedID.make(at: Sample.recordedAt),
            type: EventType.allCases.randomElement(using: &random.generator)!,
            store: random.chance(80) ? .appStore : .grant,
            environment: random.chance(90) ? .production : StoreEnvironment(rawValue: ""),
            bundleID: random.chance(90) ? Sample.bundleID : nil,
            lineID: facts.transaction?.originalTransactionID ?? line?.originalTransactionID,
            account: random.chance(30) ? random.account() : nil,
            signedAt: random.chance(80) ? Instant.distantPast : nil,
            recordedAt: random.chance(80) ? Sample.recordedAt : .distantFuture,
            source: EventSource.allCases.randomElement(using: &random.generator)!,
            statementID: random.chance(50) ? [1, 2, 0, 255] : [],
            notificationType: random.chance(50) ? "DID_RENEW" : nil,
            notificationSubtype: random.chance(50) ? "" : nil,
            transaction: facts.transaction,
            renewal: facts.renewal,
            command: isCommand
                ? CommandFacts(
                    id: random.chance(50) ? random.account() : nil,
                    entitlement: "pro",
                    currency: random.chance(50) ? "coins" : nil,
                    units: random.chance(50) ? .max : nil,
                    startsAt: random.chance(50) ? .distantPast : nil,
                    endsAt: random.chance(50) ? .distantFuture : nil
                ) : nil,
            lineOwnership: facts.transaction?.ownership ?? line?.ownership ?? .purchased,
            evidenceDigests: (0..<random.number(0..<3)).map { [UInt8](repeating: UInt8($0), count: 32) },
            payload: Array(#"{"a": 1}"#.utf8),
            hash: [UInt8](repeating: UInt8(truncatingIfNeeded: position), count: 32)
        )
    }

    @Test(arguments: [
        ("type = 'Invented'", "type 'Invented'"), ("store = 'playstore'", "store 'playstore'"),
        ("source = 'pigeon'", "source 'pigeon'"), ("ownership = 'STOLEN'", "ownership 'STOLEN'"),
        ("product_type = 'gift'", "product_type 'gift'"), ("revocation_kind = 'HALF'", "revocation_kind 'HALF'"),
        ("product_id = NULL", "without all of its keys"), ("purchased_at = NULL", "without all of its keys"),
        ("transaction_id = NULL", "without all of its keys"), ("line_id = NULL", "without all of its keys"),
    ])
    func aValueOfANewerVersionIsAnErrorAndNeverPassedOver(change: String, expected: String) async throws {
        try await StoreDatabase.with { database in
            _ = try await database.makeStore().append(.statement(Sample.upload(Sample.month("1")), claim: nil))
            try await database.owner { session in
                try session.execute("ALTER TABLE entitled.events DISABLE TRIGGER events_append_only")
                try session.execute("UPDATE entitled.events SET \(change)")
            }
            let error = try await storeError { try await database.events() }
            #expect(error?.isTemporary == false)
            #expect(error?.description.hasPrefix("event 1") == true)
            #expect(error?.description.contains(expected) == true, "\(error?.description ?? "no error")")
        }
    }
}
