import EntitlementDomain
import Foundation
import Postgres
import TestKit
import Testing
import X509

@testable import EventStore

/// Whatever is done to the log, the first position that does not hold is named; an independent program agrees.
@Suite struct ChainVerifierTests {
    @Test func aLogThatNobodyTouchedHolds() async throws {
        let seed = SeededGenerator.seedOfThisRun("aLogThatNobodyTouchedHolds")
        try await withRandomLog(seed, requests: 150) { database, count in
            let report = try await verify(database)
            #expect(report.problem == nil)
            #expect(report.eventCount == count)
            #expect(report.from == 1 && report.to == count)
            let hash = try await database.owner { try $0.query("SELECT hash FROM entitled.log_head").bytes(0, 0) }
            #expect(report.lastHash == hash)
            let checker = try await IndependentChecker.run(database)
            #expect(checker.status == 0, "\(checker.output)")
            #expect(checker.output.contains("\(count) events hold"))
            #expect(checker.output.contains(Hexadecimal.text(hash)))
        }
    }

    @Test func anEmptyLogHolds() async throws {
        try await StoreDatabase.with { database in
            let report = try await verify(database)
            #expect(report.holds && report.eventCount == 0 && report.to == 0)
        }
    }

    static let tamperings: [(Tampering, Int64, ChainProblem.Kind)] = [
        (
            Tampering(
                "a byte of a payload",
                "UPDATE entitled.events SET payload = jsonb_set(payload, '{name}', '\"x\"') WHERE position = 4"
            ), 4, .hashMismatch
        ),
        (
            Tampering(
                "a fact",
                "UPDATE entitled.events SET expires_at = expires_at + interval '1 us' WHERE position = 4"
            ), 4, .hashMismatch
        ),
        (
            Tampering("a fact taken away", "UPDATE entitled.events SET expires_at = NULL WHERE position = 4"), 4,
            .hashMismatch
        ),
        (
            Tampering("the label", "UPDATE entitled.events SET type = 'Refunded' WHERE position = 4"), 4, .hashMismatch
        ),
        (
            Tampering(
                "the evidence that is named",
                "UPDATE entitled.events SET evidence_digests = '{}' WHERE position = 4"
            ), 4, .hashMismatch
        ),
        (
            Tampering("a hash", "UPDATE entitled.events SET hash = sha256(hash) WHERE position = 4"), 4, .hashMismatch
        ),
        (
            Tampering("the last hash", "UPDATE entitled.events SET hash = sha256(hash) WHERE position = 9"), 9,
            .hashMismatch
        ),
        (Tampering("a row removed", "DELETE FROM entitled.events WHERE position = 4"), 4, .positionMissing),
        (Tampering("the first row removed", "DELETE FROM entitled.events WHERE position = 1"), 1, .positionMissing),
        (Tampering("the last row removed", "DELETE FROM entitled.events WHERE position = 9"), 9, .positionMissing),
        (
            Tampering("rows removed", "DELETE FROM entitled.events WHERE position BETWEEN 4 AND 7"), 4, .positionMissing
        ),
        (
            Tampering(
                "two rows swapped",
                """
                UPDATE entitled.events SET position = 1000 WHERE position = 4;
                UPDATE entitled.events SET position = 4 WHERE position = 5;
                UPDATE entitled.events SET position = 5 WHERE position = 1000
                """
            ), 4, .hashMismatch
        ),
        (
            Tampering(
                "a signed text",
                """
                UPDATE entitled.evidence SET content = set_byte(content, octet_length(content) - 1,
                    (get_byte(content, octet_length(content) - 1) + 1) % 256)
                WHERE digest = \(Tampering.digest(of: 4))
                """
            ), 4, .evidenceMismatch
        ),
        (
            Tampering(
                "a certificate chain",
                "UPDATE entitled.certificate_chains SET content = set_byte(content, 40, 65)"
            ), 2, .evidenceMismatch
        ),
        (
            Tampering("a certificate chain removed", "DELETE FROM entitled.certificate_chains"), 2, .evidenceMismatch
        ),
        (
            Tampering(
                "a signed text removed",
                "DELETE FROM entitled.evidence WHERE digest = \(Tampering.digest(of: 4))"
            ), 4, .evidenceMissing
        ),
    ]

    @Test(arguments: tamperings)
    func aChangeIsNamed(_ tampering: Tampering, _ position: Int64, _ kind: ChainProblem.Kind) async throws {
        try await withLog { database in
            try await database.owner { try tampering.perform($0) }
            for chunkLength in [1, 3, 100] as [Int64] {
                let report = try await verify(database, chunkLength: chunkLength)
                #expect(report.problem?.position == position, "chunks of \(chunkLength)")
                #expect(report.problem?.kind == kind, "chunks of \(chunkLength)")
            }
            // A row that is gone from the end cannot be seen in a dump alone; table log_head tells.
            if tampering.name == "the last row removed" { return }
            let checker = try await IndependentChecker.run(database)
            #expect(checker.status == 1)
            #expect(checker.position == position, "\(checker.output)")
        }
    }

    @Test func itTellsAChangedHashFromAChangedContent() async throws {
        try await withLog { database in
            try await database.owner {
                try $0.execute(
                    """
                    SET session_replication_role = replica;
                    CREATE TABLE kept AS SELECT * FROM entitled.events WHERE position = 4;
                    UPDATE entitled.events SET hash = sha256(hash) WHERE position = 4
                    """
                )
            }
            let hash = try await verify(database)
            #expect(hash.problem?.message.hasPrefix("its hash was changed") == true, "\(hash)")
            try await database.owner {
                try $0.execute(
                    "UPDATE entitled.events e SET hash = kept.hash, quantity = 7 FROM kept WHERE e.position = 4"
                )
            }
            let content = try await verify(database)
            #expect(content.problem?.message.hasPrefix("its content was changed") == true)
        }
    }

    @Test(arguments: [
        (
            "DELETE FROM entitled.events WHERE position > 7; UPDATE entitled.log_head SET position = 7", Int64(7)
        ),
        ("UPDATE entitled.log_head SET position = 7", 8),
        ("UPDATE entitled.log_head SET position = 12", 10),
        ("UPDATE entitled.log_head SET hash = sha256(hash)", 9),
    ])
    func theEndOfTheLogIsComparedWithItsHead(sql: String, position: Int64) async throws {
        try await withLog { database in
            try await database.owner { try Tampering("", sql).perform($0) }
            #expect(try await verify(database).problem?.position == position)
        }
    }

    @Test func aRangeNeedsTheHashBeforeItOnly() async throws {
        try await withLog { database in
            let hash = try await database.owner { session in
                try session.query("SELECT hash FROM entitled.events WHERE position = 5").bytes(0, 0)
            }
            try await database.owner {
                try Tampering("", "UPDATE entitled.events SET quantity = 9 WHERE position = 2").perform($0)
            }
            var verifier = ChainVerifier(from: 6, to: 8)
            #expect(try await run(verifier, database).holds)
            // The events before it were moved to an archive.
            try await database.owner {
                try Tampering("", "DELETE FROM entitled.events WHERE position < 6").perform($0)
            }
            await #expect(throws: AuditError.previousHashNeeded(from: 6)) { _ = try await run(verifier, database) }
            #expect(try await verify(database).problem?.message == "the events of positions 1 to 5 are missing")
            verifier.previousHash = hash
            #expect(try await run(verifier, database).eventCount == 3)
            verifier.previousHash = ChainWalk.zeros
            #expect(try await run(verifier, database).problem?.position == 6)
            await #expect(throws: AuditError.rangeOutside(from: 6, to: 10, last: 9)) {
                _ = try await run(ChainVerifier(from: 6, to: 10), database)
            }
        }
    }

    @Test func aRandomChangeOfARandomColumnIsNamed() async throws {
        let seed = SeededGenerator.seedOfThisRun("aRandomChangeOfARandomColumnIsNamed")
        var random = SeededGenerator(seed: seed)
        try await withRandomLog(seed, requests: 60) { database, count in
            for _ in 0..<40 {
                let position = Int64.random(in: 1...count, using: &random)
                let change = [
                    "signed_at = coalesce(signed_at, '2020-01-01') + interval '1 ms'",
                    "quantity = CASE quantity WHEN 1 THEN 2 ELSE 1 END", "units = CASE units WHEN 1 THEN 2 ELSE 1 END",
                    "is_renewal = is_renewal IS NOT TRUE", "bundle_id = coalesce(bundle_id, '') || ' '",
                    "statement_id = statement_id || '\\x00'", "account = gen_random_uuid()",
                    "payload = jsonb_build_array(payload)", "hash = sha256(hash)",
                    "evidence_digests = evidence_digests || sha256('')",
                ].randomElement(using: &random)!
                try await database.owner {
                    try $0.execute(
                        """
                        SET session_replication_role = replica;
                        CREATE TABLE kept AS SELECT * FROM entitled.events WHERE position = \(position);
                        UPDATE entitled.events SET \(change) WHERE position = \(position)
                        """
                    )
                }
                let report = try await verify(database, chunkLength: Int64.random(in: 1...count, using: &random))
                #expect(report.problem?.position == position, "\(change), seed \(seed)")
                #expect(report.problem?.kind == .hashMismatch, "\(change), seed \(seed)")
                try await database.owner {
                    try $0.execute(
                        """
                        DELETE FROM entitled.events WHERE position = \(position);
                        INSERT INTO entitled.events SELECT * FROM kept;
                        DROP TABLE kept
                        """
                    )
                }
            }
            #expect(try await verify(database).holds)
        }
    }

    @Test func aChainThatWasWrittenAnewHoldsAndACheckpointTells() async throws {
        try await withLog { database in
            var events = try await database.events()
            let anchors = events.map { ChainAnchor(position: $0.position, hash: $0.hash) }
            // Another fact at position 4, and every hash from there on as it then must be.
            events[3].transaction?.expiresAt = Sample.day(1_000)
            var previous = events[2].hash
            var sql = "UPDATE entitled.events SET expires_at = '\(Sample.day(1_000).iso8601)' WHERE position = 4;"
            for event in events[3...] {
                previous = EventRow(event).hash(after: previous)
                let text = Hexadecimal.text(previous)
                sql += "UPDATE entitled.events SET hash = decode('\(text)', 'hex') WHERE position = \(event.position);"
            }
            sql += "UPDATE entitled.log_head SET hash = decode('\(Hexadecimal.text(previous))', 'hex')"
            let tampering = Tampering("", sql)
            try await database.owner { try tampering.perform($0) }
            #expect(try await verify(database).holds)
            var verifier = ChainVerifier()
            verifier.anchors = Array(anchors[..<3])
            #expect(try await run(verifier, database).holds)
            verifier.anchors = [anchors[8], anchors[5], anchors[1]]
            let report = try await run(verifier, database)
            #expect(report.problem?.position == 6)
            #expect(report.problem?.kind == .checkpointMismatch)
            verifier.anchors = [ChainAnchor(position: 10, hash: previous)]
            #expect(try await run(verifier, database).problem?.position == 10)
        }
    }

    @Test func aSignatureThatDoesNotVerifyIsNamed() async throws {
        try await withLog { database in
            var verifier = ChainVerifier()
            verifier.evidenceCheck = { evidence in
                evidence.position == 5 ? .bad("a test") : evidence.position == 3 ? .unknownKind : .good(signatures: 3)
            }
            let report = try await run(verifier, database)
            #expect(report.problem?.position == 5)
            #expect(report.problem?.kind == .signatureInvalid)
            verifier.to = 4
            let before = try await run(verifier, database)
            #expect(before.holds)
            #expect(before.signatureCount == 6)
            #expect(before.unverifiedCount == 1)
        }
    }

    @Test func theIndependentCheckerComparesAHashAndFindsACutDump() async throws {
        try await withLog { database in
            let hash = try await database.owner { session in
                try session.query("SELECT hash FROM entitled.events WHERE position = 5").bytes(0, 0)
            }
            let good = try await IndependentChecker.run(database, ["--expect", "1:5:\(Hexadecimal.text(hash))"])
            #expect(good.status == 0, "\(good.output)")
            let other = try await IndependentChecker.run(database, ["--expect", "6:\(Hexadecimal.text(hash))"])
            #expect(other.position == 6)
            let beyond = try await IndependentChecker.run(database, ["--expect", "10:\(Hexadecimal.text(hash))"])
            #expect(beyond.position == 10)
            let empty = [UInt8]("PGCOPY\n".utf8) + [0xff, 13, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            let cut = try IndependentChecker.run(
                events: empty,
                evidence: empty + [0xff, 0xff],
                chains: empty + [0xff, 0xff],
                []
            )
            #expect(cut.status == 2)
        }
    }

    // MARK: Support

    private func run(_ verifier: ChainVerifier, _ database: StoreDatabase) async throws -> ChainReport {
        try await verifier.verify(
            PostgresConfiguration(connectionString: database.ownerConnectionString),
            sessions: 3
        )
    }

    private func verify(_ database: StoreDatabase, chunkLength: Int64 = 4) async throws -> ChainReport {
        var verifier = ChainVerifier()
        verifier.chunkLength = chunkLength
        return try await run(verifier, database)
    }

    /// A log of a catalog and eight statements.
    private func withLog(_ body: (StoreDatabase) async throws -> Void) async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            for number in 0..<8 {
                _ = try await store.append(.statement(Sample.upload(Sample.month("1", number)), claim: nil))
            }
            try await body(database)
        }
    }

    private func withRandomLog(
        _ seed: UInt64,
        requests: Int,
        _ body: (StoreDatabase, Int64) async throws -> Void
    ) async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            var work = RandomWork(seed: seed)
            for number in 0..<requests { _ = try await store.append(work.request("\(number)")) }
            try await body(database, try await store.position().number)
        }
    }
}
