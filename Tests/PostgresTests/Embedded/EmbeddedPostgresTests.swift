import Foundation
import Testing

@testable import Postgres

/// Servers of their own: slow against the rest, so few.
@Suite struct EmbeddedPostgresTests {
    private static func directory(_ name: String = "x") -> String {
        "/tmp/entitled-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))/\(name)"
    }

    private static func removeParent(of path: String) {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }

    private func number(_ server: EmbeddedPostgres) throws -> Int64 {
        let session = try PostgresSession(PostgresConfiguration(connectionString: server.ownerConnectionString))
        return try session.query("SELECT max(id) FROM t").int64(0, 0)
    }

    @Test(.timeLimit(.minutes(2))) func aDurableServerKeepsItsDataThroughStopsAndCrashes() async throws {
        let path = Self.directory()
        defer { Self.removeParent(of: path) }
        try await fillThroughStopsAndCrashes(path)
        #expect(DataDirectory(path: path).serverProcesses.isEmpty)
        try useAgain(path)
    }

    private func fillThroughStopsAndCrashes(_ path: String) async throws {
        let first = try EmbeddedPostgres(
            EmbeddedPostgresOptions(dataDirectory: path, owner: "keeper", database: "da ta")
        )
        let configuration = PostgresConfiguration(connectionString: first.ownerConnectionString)
        let thread = PostgresThread(configuration)
        try await thread.run { try $0.execute("CREATE TABLE t (id int8); INSERT INTO t VALUES (1)") }
        let facts = try await thread.run { session in
            try session.query(
                """
                SELECT current_user::text, current_database()::text, current_setting('server_encoding'),
                    current_setting('data_checksums'), current_setting('fsync'), current_setting('listen_addresses')
                """
            )
        }
        #expect(try (0..<6).map { try facts.text(0, $0) } == ["keeper", "da ta", "UTF8", "on", "on", ""])
        // Who may not enter the directory of the socket cannot connect.
        let attributes = try FileManager.default.attributesOfItem(atPath: first.socketDirectory)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)

        for (round, mode) in [EmbeddedPostgres.StopMode.fast, .immediate, .kill].enumerated() {
            try first.stop(mode)
            let down = await asyncPostgresError { _ = try await thread.run { $0.processID } }
            #expect(down?.kind == .connection)
            #expect(down?.isTransient == true)
            try first.start()
            let next = Int64(round + 2)
            _ = try await thread.run { try $0.query("INSERT INTO t VALUES ($1)", [.int8(next)]) }
            #expect(try number(first) == next)
        }
        await thread.close()
    }

    private func useAgain(_ path: String) throws {
        // Again from the files alone, with the mark of a dead server whose number belongs to another process now.
        try "\(getpid())\n\(path)\n0\n5432\n\(path)\n\n1 1\nready\n".write(
            toFile: path + "/postmaster.pid",
            atomically: false,
            encoding: .utf8
        )
        let again = try EmbeddedPostgres(
            EmbeddedPostgresOptions(dataDirectory: path, owner: "keeper", database: "da ta")
        )
        #expect(try number(again) == 4)

        var short = EmbeddedPostgresOptions(dataDirectory: path, owner: "keeper")
        short.timeout = .milliseconds(10)
        let inUse = #expect(throws: EmbeddedPostgresError.self) { _ = try EmbeddedPostgres(short) }
        guard case .dataDirectoryInUse(_, let process) = inUse else {
            Issue.record("expected dataDirectoryInUse, got \(String(describing: inUse))")
            return
        }
        #expect(process == again.processID)
    }

    @Test func aLongPathGetsAShortSocketDirectory() throws {
        let path = Self.directory(String(repeating: "long", count: 30))
        defer { Self.removeParent(of: path) }
        let server = try EmbeddedPostgres(.throwaway(dataDirectory: path))
        #expect(server.socketDirectory.hasPrefix("/tmp/entitled-pg-"))
        let session = try PostgresSession(PostgresConfiguration(connectionString: server.ownerConnectionString))
        #expect(try session.query("SHOW fsync").text(0, 0) == "off")
        try server.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!FileManager.default.fileExists(atPath: server.socketDirectory))
    }

    @Test func aPausedServerRunsIntoTheCommandTimeout() throws {
        let path = Self.directory()
        defer { Self.removeParent(of: path) }
        let server = try EmbeddedPostgres(.throwaway(dataDirectory: path))
        let session = try PostgresSession(
            PostgresConfiguration(
                connectionString: server.ownerConnectionString,
                commandTimeout: .milliseconds(200)
            )
        )
        server.pause()
        #expect(postgresError { try session.execute("SELECT 1") }?.kind == .timeout)
        server.resume()
        let other = try PostgresSession(PostgresConfiguration(connectionString: server.ownerConnectionString))
        #expect(try other.query("SELECT 1::int4").int32(0, 0) == 1)
    }

    @Test func aServerThatEndedByItselfIsSeenAndStartsAgain() async throws {
        let path = Self.directory()
        defer { Self.removeParent(of: path) }
        let server = try EmbeddedPostgres(.throwaway(dataDirectory: path))
        #expect(server.isRunning)
        kill(try #require(server.processID), SIGKILL)
        #expect(await eventually { !server.isRunning })
        try server.restart(.kill)
        #expect(server.isRunning)
        try server.stop()
        #expect(!server.isRunning)
    }

    @Test func somebodyElsesDirectoryIsLeftAlone() throws {
        let path = Self.directory()
        defer { Self.removeParent(of: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try "mine".write(toFile: path + "/notes", atomically: true, encoding: .utf8)
        let error = #expect(throws: EmbeddedPostgresError.self) {
            _ = try EmbeddedPostgres(.throwaway(dataDirectory: path))
        }
        guard case .dataDirectoryNotEmpty = error else {
            Issue.record("expected dataDirectoryNotEmpty, got \(String(describing: error))")
            return
        }
        #expect(try String(contentsOfFile: path + "/notes", encoding: .utf8) == "mine")
    }

    @Test(.enabled(if: geteuid() == 0)) func aDirectoryBehindAClosedDoorIsNamed() throws {
        let path = Self.directory("closed/data")
        let closed = URL(fileURLWithPath: path).deletingLastPathComponent().path
        defer { Self.removeParent(of: closed) }
        try FileManager.default.createDirectory(atPath: closed, withIntermediateDirectories: true)
        unsafe chmod(closed, 0o700)
        let error = #expect(throws: EmbeddedPostgresError.self) {
            _ = try EmbeddedPostgres(.throwaway(dataDirectory: path))
        }
        guard case .dataDirectoryNotReachable(_, let blockedBy, _) = error else {
            Issue.record("expected dataDirectoryNotReachable, got \(String(describing: error))")
            return
        }
        #expect(blockedBy == closed)
    }

    @Test func missingProgramsAreReportedWithTheSearchedPlaces() {
        let error = #expect(throws: EmbeddedPostgresError.self) {
            _ = try ServerPrograms.find(environment: ["ENTITLED_PG_BIN": "/nowhere"])
        }
        guard case .programsNotFound(let searched) = error else {
            Issue.record("expected programsNotFound, got \(String(describing: error))")
            return
        }
        #expect(searched == ["/nowhere"])
    }

    @Test func aChildInheritsNothing() throws {
        // A descriptor that is open in this process and does not close by itself.
        let descriptor = unsafe open("/dev/null", O_RDONLY)
        let high = fcntl(descriptor, F_DUPFD, 200)
        defer {
            close(descriptor)
            close(high)
        }
        let test = "test -e /proc/self/fd/1 && ! test -e /proc/self/fd/\(high) && echo closed"
        #expect(try ChildProcess.output(of: ["/bin/sh", "-c", test]) == "closed")
        #expect(try ChildProcess.run(["/bin/sh", "-c", "kill -9 $$"]).status == 137)
        #expect(throws: EmbeddedPostgresError.self) { try ChildProcess.output(of: ["/bin/false"]) }
    }
}
