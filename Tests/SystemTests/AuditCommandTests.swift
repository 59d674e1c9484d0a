import Foundation
import Postgres
import PostgresTesting
import Testing

extension SystemTests {
    /// The commands of an audit as an operator meets them: exit status, what is printed, and where.
    @Suite struct AuditCommandTests {
        @Test func anArchiveGoesThereAndBack() async throws {
            try await withDatabases { database, other, folder in
                let archive = folder.appending(path: "log.jsonl.gz").path(percentEncoded: false)
                let export = try await Program.run("audit", "export", "--database", database, archive)
                #expect(export.status == 0, "\(export.errors)")
                let verified = try await Program.run("audit", "verify", "--archive", archive)
                #expect(verified.status == 0, "\(verified.errors)")
                for line in export.output.split(separator: "\n").dropFirst() {
                    #expect(line.contains("hash") || line.contains("digest"))
                    #expect(verified.output.contains(line), "\(verified.output)")
                }
                // It is not written over.
                #expect(try await Program.run("audit", "export", "--database", database, archive).status == 64)

                // Cut off, compressed or not, or changed: named by both who read it, and nothing is imported.
                let plain = folder.appending(path: "log.jsonl").path(percentEncoded: false)
                #expect(try await Program.run("audit", "export", "--database", database, plain).status == 0)
                let whole = try Data(contentsOf: URL(filePath: plain))
                let packed = try Data(contentsOf: URL(filePath: archive))
                let text = String(decoding: whole, as: UTF8.self)
                let place = try #require(text.firstRange(of: #""secret":""#)).upperBound
                let digit = text[place] == "0" ? "1" : "0"
                let secret = text.replacingCharacters(in: place...place, with: digit)
                let epoch = text.replacing(#""epoch":1"#, with: #""epoch":2"#)
                let faults: [(name: String, content: Data, said: String)] = [
                    ("last-byte.jsonl", whole.dropLast(), "line 4: the file is cut off"),
                    ("cut.jsonl", whole.prefix(whole.count / 2), "behind position "),
                    ("cut.jsonl.gz", packed.dropLast(20), "cut off or damaged, behind position "),
                    ("secret.jsonl", Data(secret.utf8), "line 3: the last line was changed"),
                    ("epoch.jsonl", Data(epoch.utf8), "line 1: the first line of the archive was changed"),
                ]
                for (name, content, said) in faults {
                    let file = folder.appending(path: name)
                    try content.write(to: file)
                    let path = file.path(percentEncoded: false)
                    let found = try await Program.run("audit", "verify", "--archive", path)
                    #expect(found.status == 1 && found.output.contains(said), "\(name): \(found.output)")
                    let refused = try await Program.run("audit", "import", "--database", other, path)
                    #expect(refused.status == 65 && refused.errors.contains(said), "\(name): \(refused.errors)")
                }
                let imported = try await Program.run("audit", "import", "--database", other, archive)
                #expect(imported.status == 0, "\(imported.errors)")
                #expect(try await Program.run("audit", "import", "--database", other, archive).status == 64)
                #expect(try await Program.run("audit", "replay", "--database", other).status == 0)
            }
        }

        /// The time grows with the length of a line, not with its square: that would be minutes here.
        @Test func anEndlessLineIsRefusedSoon() async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "entitled-\(UUID().uuidString).jsonl")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(repeating: UInt8(ascii: " "), count: 40_000_000).write(to: file)
            let started = ContinuousClock.now
            let found = try await Program.run("audit", "verify", "--archive", file.path(percentEncoded: false))
            #expect(found.status == 1 && found.output.contains("line 1: "), "\(found.output)")
            #expect(ContinuousClock.now - started < .seconds(30))
        }

        @Test func aFaultIsPrintedAndIsAnExitStatus() async throws {
            try await withDatabases { database, _, _ in
                let good = try await Program.run("audit", "verify", "--database", database)
                #expect(good.status == 0 && good.output.hasPrefix("positions 1 to 1 hold"), "\(good.output)")
                _ = try await withDatabase(database) { try $0.query("DELETE FROM entitled.catalogs").affectedRowCount }
                let replay = try await Program.run("audit", "replay", "--database", database)
                #expect(replay.status == 1 && replay.output.hasPrefix("catalog"), "\(replay.output)")
                #expect(replay.errors.contains("1 difference at position 1:1"), "\(replay.errors)")
                #expect(try await Program.run("rebuild", "--database", database).status == 0)
                #expect(try await Program.run("audit", "replay", "--database", database).status == 0)
                // As a superuser, past the triggers.
                try await withDatabase(database) {
                    try $0.execute(
                        """
                        SET session_replication_role = replica;
                        UPDATE entitled.events SET bundle_id = 'x' WHERE position = 1
                        """
                    )
                }
                let bad = try await Program.run("audit", "verify", "--database", database)
                #expect(bad.status == 1 && bad.output.hasPrefix("position 1: "), "\(bad.output)")
            }
        }

        /// The program script, of every Debian, gives a terminal.
        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
        func progressIsABarOnATerminalAndPlainLinesElsewhere() async throws {
            try await withDatabases { database, _, _ in
                let arguments = "audit verify --database '\(database)'"
                let terminal = try RunningProgram(
                    ["-qec", "'\(Program.path)' \(arguments)", "/dev/null"],
                    of: "/usr/bin/script"
                )
                #expect(await terminal.end() == 0, "\(terminal.output) \(terminal.errors)")
                #expect(
                    terminal.output.contains("\r\u{1B}[K[########################] 100 % checking the chain: 1 of 1"),
                    "\(terminal.output.debugDescription)"
                )
                let plain = try await Program.run("audit", "verify", "--database", database)
                #expect(!(plain.output + plain.errors).contains("\u{1B}"), "\(plain.errors)")
            }
        }

        /// Lends two migrated databases, the first with a catalog, and a folder.
        private func withDatabases(_ body: (String, String, URL) async throws -> Void) async throws {
            let (first, second) = (try await TestDatabase.create(), try await TestDatabase.create())
            try await TemporaryFolder.use { folder in
                for test in [first, second] {
                    let migrated = try await Program.run("migrate", "--database", test.ownerConnectionString)
                    try #require(migrated.status == 0, "\(migrated.errors)")
                }
                let catalog = folder.appending(path: "catalog.json")
                try Data(ServeSetup.catalog.utf8).write(to: catalog)
                let imported = try await Program.run(
                    "catalog",
                    "import",
                    "--database",
                    first.ownerConnectionString,
                    catalog.path(percentEncoded: false)
                )
                try #require(imported.status == 0, "\(imported.errors)")
                try await body(first.ownerConnectionString, second.ownerConnectionString, folder)
            }
            try await first.drop()
            try await second.drop()
        }
    }
}
