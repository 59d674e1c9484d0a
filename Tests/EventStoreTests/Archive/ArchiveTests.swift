import EntitlementDomain
import Foundation
import Postgres
import StoreTesting
import Synchronization
import TestKit
import Testing

@testable import EventStore

/// An exported log is the log: imported it has the same hashes and, rebuilt, the same answers; altered or cut it is found.
@Suite struct ArchiveTests {
    @Test(arguments: [3, 1_000] as [Int64])
    func whatIsExportedIsImportedAsItWas(chunkLength: Int64) async throws {
        let seed = SeededGenerator.seedOfThisRun("whatIsExportedIsImportedAsItWas")
        try await RandomLog.with(seed) { database, store in
            let lines = try await export(database, chunkLength: chunkLength)
            let tables = try await database.owner { try ProjectedRows($0).tables }
            let rows = try await database.owner { try LogRows($0) }
            let catalog = try await store.catalogJSON()
            try await StoreDatabase.with { copy in
                let report = try await load([lines], copy, batchLength: 7, rememberedNames: 2)
                #expect(report.position == (try await store.position()))
                #expect(try await copy.owner { try LogRows($0) } == rows, "seed \(seed)")
                #expect(try await copy.owner { try HashChain($0).broken } == [])
                let rebuild = ProjectionRebuild(
                    policy: Policy(),
                    sessions: 2,
                    workDirectory: FileManager.default.temporaryDirectory,
                    program: "a test"
                )
                _ = try await rebuild.run(PostgresConfiguration(connectionString: copy.ownerConnectionString))
                #expect(try await copy.owner { try ProjectedRows($0).tables } == tables, "seed \(seed)")
                let moved = copy.makeStore()
                #expect(try await moved.catalogJSON() == catalog)
                // What is known is known there too, and the log goes on as the other one does.
                var work = RandomWork(seed: seed)
                for number in 0..<50 {
                    guard case .statement(let statement, _) = work.request("\(number)") else { continue }
                    let there = try await moved.append(.statement(statement, claim: nil))
                    let here = try await store.append(.statement(statement, claim: nil))
                    #expect(withoutIDs(there) == withoutIDs(here), "seed \(seed)")
                }
                _ = try await moved.append(.statement(Sample.upload(Sample.month("new")), claim: nil))
                #expect(try await copy.owner { try HashChain($0).broken } == [])
            }
        }
    }

    @Test func rangesFollowOneAnother() async throws {
        let seed = SeededGenerator.seedOfThisRun("rangesFollowOneAnother")
        try await RandomLog.with(seed, requests: 60) { database, _ in
            let rows = try await database.owner { try LogRows($0) }
            let first = try await export(database, to: 20)
            let second = try await export(database, from: 21)
            try await StoreDatabase.with { copy in
                let error = await #expect(throws: ArchiveError.self) { _ = try await load([second], copy) }
                #expect(error?.message.contains("does not begin with position 1") == true)
                await #expect(throws: ArchiveError.self) { _ = try await load([first, first], copy) }
                #expect(try await copy.count("SELECT count(*) FROM entitled.events") == 0)
                _ = try await load([first, second], copy)
                #expect(try await copy.owner { try LogRows($0) } == rows, "seed \(seed)")
                await #expect(throws: AuditError.self) { _ = try await load([first], copy) }
            }
            var check = ArchiveCheck()
            for line in second { try check.take(line) }
            let report = try check.finish()
            #expect(report.from == 21 && report.lastHash == rows.hashes.last)
        }
    }

    @Test func aCutOrAlteredArchiveIsFoundAndNamed() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            for number in 0..<5 {
                _ = try await store.append(
                    .statement(Sample.upload(Sample.month("1", number, token: Sample.account)), claim: nil)
                )
            }
            let lines = try await export(database)
            func changed(_ line: Int, _ old: String, _ new: String) throws -> [[UInt8]] {
                var copy = lines
                let text = String(decoding: lines[line], as: UTF8.self)
                try #require(text.contains(old), "\(text)")
                copy[line] = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
                return copy
            }
            let cases: [(String, [[UInt8]], line: Int, position: Int64?)] = [
                ("the last line is gone", Array(lines.dropLast()), lines.count, nil),
                ("the end is gone", Array(lines.dropLast(3)), lines.count - 2, nil),
                ("half a line", lines.dropLast(2) + [Array(lines[lines.count - 2].prefix(50))], lines.count - 1, nil),
                ("nothing at all", [], 1, nil),
                ("no header", Array(lines.dropFirst()), 1, nil),
                ("one event is gone", Array(lines[..<3] + lines[4...]), 4, 3),
                ("two events swapped", lines[..<3] + [lines[4], lines[3]] + lines[5...], 4, 3),
                ("a fact", try changed(3, "pro.monthly", "max.monthly"), 4, 3),
                ("a payload", try changed(3, #""payload":{"name": ""#, #""payload":{"name": "x"#), 4, 3),
                ("a hash", try changed(3, #""hash":""#, #""hash":"0"#), 4, 3),
                ("a signed text", try changed(2, #":"eyJ"#, #":"eyK"#), 3, 2),
                ("a type", try changed(3, #""quantity":1"#, #""quantity":"1""#), 4, 3),
                ("the number at the end", try changed(lines.count - 1, #""count":"#, #""count":1"#), lines.count, nil),
                ("the first hash", try changed(0, #"Hash":"0"#, #"Hash":"1"#), 1, nil),
                ("the epoch", try changed(0, #""epoch":1"#, #""epoch":2"#), 1, nil),
                ("the version", try changed(0, #""version":2"#, #""version":1"#), 1, nil),
                ("an account's name", try changed(2, #""accounts":{""#, #""accounts":{"0"#), 3, 2),
                ("the erasure secret", try changed(lines.count - 1, #""secret":""#, #""secret":"0"#), lines.count, nil),
                ("an erased account", try changed(lines.count - 1, "[]", #"["x"]"#), lines.count, nil),
                ("a member more", try changed(3, #","hash":"#, #","x":1,"hash":"#), 4, 3),
                ("a space", try changed(3, #","hash":"#, #", "hash":"#), 4, 3),
                ("a digest", try changed(3, #","digest":""#, #","digest":"0"#), 4, 3),
                ("the last digest", try changed(lines.count - 1, #","digest":""#, #","digest":"0"#), lines.count, nil),
                ("something behind", lines + [Array("{}".utf8)], lines.count + 1, nil),
            ]
            for (name, archive, line, position) in cases {
                var check = ArchiveCheck()
                let error = #expect(throws: ArchiveError.self, "\(name)") {
                    for line in archive { try check.take(line) }
                    _ = try check.finish()
                }
                #expect(error?.line == line, "\(name): \(String(describing: error))")
                #expect(error?.position == position, "\(name): \(String(describing: error))")
            }
            try await StoreDatabase.with { copy in
                for (name, archive, _, _) in cases {
                    await #expect(throws: ArchiveError.self, "\(name)") { _ = try await load([archive], copy) }
                }
                #expect(try await copy.count("SELECT count(*) FROM entitled.events") == 0)
                #expect(try await copy.count("SELECT position FROM entitled.log_head") == 0)
                // A text that was taken out is missed, also where somebody made all digests anew.
                var without = lines
                let text = String(decoding: lines[2], as: UTF8.self)
                let start = try #require(text.firstRange(of: #","texts":"#)).lowerBound
                without[2] = Array((text[..<start] + #","digest":"\#(String(repeating: "0", count: 64))"}"#).utf8)
                without[lines.count - 1] = Array(
                    String(decoding: lines.last!, as: UTF8.self).replacing(#""texts":5"#, with: #""texts":4"#).utf8
                )
                without = sealedAnew(without)
                let error = await #expect(throws: ArchiveError.self) { _ = try await load([without], copy) }
                #expect(error?.position == 2 && error?.line == 3)
                #expect(error?.message.contains("is missing") == true)
            }
        }
    }

    @Test func aLogThatIsNotWholeIsNotExported() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            for number in 0..<5 {
                _ = try await store.append(.statement(Sample.upload(Sample.month("1", number)), claim: nil))
            }
            try await database.owner {
                try Tampering("", "DELETE FROM entitled.evidence WHERE digest = \(Tampering.digest(of: 4))").perform($0)
            }
            await #expect(throws: StoreError.self) { _ = try await export(database) }
            #expect(try await export(database, to: 3).count == 5)
            try await database.owner {
                try Tampering("", "DELETE FROM entitled.events WHERE position = 2").perform($0)
            }
            await #expect(throws: StoreError.self) { _ = try await export(database, to: 3) }
            await #expect(throws: AuditError.self) { _ = try await export(database, from: 4, to: 9) }
        }
    }

    /// Every kind of line, every kind of byte: one that is another is found, and the line is named.
    @Test func anyByteThatIsChangedIsFound() async throws {
        let seed = SeededGenerator.seedOfThisRun("anyByteThatIsChangedIsFound")
        var random = SeededGenerator(seed: seed)
        try await RandomLog.with(seed, requests: 40) { database, store in
            let account = Sample.account
            let line = Sample.month("erased soon", token: account)
            _ = try await store.append(.statement(Sample.upload(line), claim: nil))
            _ = try await store.append(.command(Sample.erasure(of: account)))
            let lines = try await export(database)
            #expect(lines.contains { String(decoding: $0, as: UTF8.self).contains("erasedTexts") })
            #expect(String(decoding: lines.last!, as: UTF8.self).contains(#""accounts":[{"#))
            for number in lines.indices {
                var places = (0..<6).map { _ in Int.random(in: lines[number].indices, using: &random) }
                // The middle of each kind of member.
                for name in ["texts", "erasedTexts", "accounts", "erased", "digest", "payload", "evidence_digests"] {
                    let text = String(decoding: lines[number], as: UTF8.self)
                    guard let range = text.firstRange(of: "\"\(name)\":") else { continue }
                    let start = text.utf8.distance(from: text.startIndex, to: range.upperBound)
                    places.append(min(start + Int.random(in: 0..<40, using: &random), lines[number].count - 1))
                }
                for place in places {
                    var altered = lines
                    altered[number][place] ^= 1 << UInt8.random(in: 0..<7, using: &random)
                    var check = ArchiveCheck()
                    let error = #expect(throws: ArchiveError.self, "seed \(seed): line \(number + 1), byte \(place)") {
                        for line in altered { try check.take(line) }
                        _ = try check.finish()
                    }
                    #expect(error?.line == number + 1, "seed \(seed), byte \(place): \(String(describing: error))")
                }
            }
        }
    }

    @Test func aSourceThatEndsEarlyIsNamedWithItsPlace() async throws {
        try await StoreDatabase.with { database in
            _ = try await database.makeStore().append(.catalog(try Sample.catalog().canonicalJSON))
            let lines = try await export(database)
            let place = Mutex(0)
            try await StoreDatabase.with { copy in
                let error = await #expect(throws: ArchiveError.self) {
                    _ = try await LogImport().run(
                        PostgresConfiguration(connectionString: copy.ownerConnectionString),
                        nextLine: {
                            let number = place.withLock { place in
                                defer { place += 1 }
                                return place
                            }
                            if number == 2 { throw ArchiveCutOff("the file is damaged") }
                            return lines[number]
                        }
                    )
                }
                #expect(error?.description == "line 3: the file is damaged, behind position 1")
                let count = try await copy.count("SELECT count(*) FROM entitled.events")
                #expect(count == 0)
            }
        }
    }

    // MARK: Support

    /// An outcome without the ids of its events, which are random.
    private func withoutIDs(_ outcome: AppendOutcome) -> AppendOutcome {
        var outcome = outcome
        for index in outcome.events.indices { outcome.events[index].id = Sample.account }
        return outcome
    }

    /// The lines with the digests that they should have.
    private func sealedAnew(_ lines: [[UInt8]]) -> [[UInt8]] {
        var seal = ArchiveSeal()
        return lines.map { line in
            seal.close(line.dropLast(#","digest":""}"#.utf8.count + 64)).dropLast()
        }
    }

    private func export(
        _ database: StoreDatabase,
        from: Int64? = nil,
        to: Int64? = nil,
        chunkLength: Int64 = 16
    ) async throws -> [[UInt8]] {
        let written = Mutex<[UInt8]>([])
        var export = LogExport(from: from, to: to)
        export.chunkLength = chunkLength
        _ = try await export.run(
            PostgresConfiguration(connectionString: database.ownerConnectionString),
            write: { bytes in written.withLock { $0 += bytes } }
        )
        let bytes = written.withLock { $0 }
        #expect(bytes.last == UInt8(ascii: "\n"))
        return bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    }

    private func load(
        _ archives: [[[UInt8]]],
        _ database: StoreDatabase,
        batchLength: Int = 1_000,
        rememberedNames: Int = 1_000
    ) async throws -> LogImport.Report {
        let place = Mutex((archive: 0, line: 0))
        var load = LogImport()
        load.batchLength = batchLength
        load.rememberedNames = rememberedNames
        return try await load.run(
            PostgresConfiguration(connectionString: database.ownerConnectionString),
            archiveCount: archives.count,
            nextLine: {
                place.withLock { place in
                    let archive = archives[place.archive]
                    if place.line < archive.count {
                        defer { place.line += 1 }
                        return archive[place.line]
                    }
                    place = (place.archive + 1, 0)
                    return nil
                }
            }
        )
    }
}
