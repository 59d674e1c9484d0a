import Foundation
import Glibc
import Synchronization

/// A private PostgreSQL server: `entitled dev` and the tests run on one, so neither needs any preparation.
///
/// Access. The server listens on a Unix socket only, in a directory with mode 0700 that belongs to the account it runs
/// as: whoever may not enter the directory cannot even try to connect, so the file system is the authentication, and
/// PostgreSQL's own is `trust` for every role. (Checking the peer's user id instead would bind a role to one account and
/// lock out root, who starts the server here under another one.)
///
/// Life. The server stops with `stop`, and when this process ends in any way (`ParentWatch`). The data directory stays,
/// unless the server is a throwaway one.
///
/// Sendable because its state is behind a mutex. All calls block: not for cooperative threads.
package final class EmbeddedPostgres: Sendable {
    private struct State {
        var server: ChildProcess?
        var watch: ParentWatch?
    }

    private let state = Mutex(State())
    private let options: EmbeddedPostgresOptions
    private let programs: ServerPrograms
    private let account: ServerAccount
    private let directory: DataDirectory
    /// Where the socket is; the data directory itself, unless its path is too long.
    package let socketDirectory: String

    /// A socket's path is limited to 107 bytes (`sockaddr_un.sun_path` on Linux), the file's own name included.
    private static let longestSocketDirectory = 107 - "/.s.PGSQL.5432.lock".utf8.count

    /// Sets up the cluster where there is none, starts the server, and makes the database where it is missing.
    ///
    /// - Throws: `EmbeddedPostgresError`; `PostgresError` when the database cannot be made.
    package init(_ options: EmbeddedPostgresOptions) throws {
        var options = options
        options.dataDirectory = URL(fileURLWithPath: options.dataDirectory).standardizedFileURL.path
        self.options = options
        programs = try ServerPrograms.find()
        account = try ServerAccount.current()
        directory = DataDirectory(path: options.dataDirectory)
        try Self.prepare(directory, options, programs, account)
        if options.dataDirectory.utf8.count <= Self.longestSocketDirectory {
            socketDirectory = options.dataDirectory
        } else {
            socketDirectory = try Self.makeShortDirectory(account)
        }
        try start()
        do {
            try makeDatabase()
        } catch {
            try? stop(.fast)
            throw error
        }
    }

    deinit {
        if options.isDurable { try? stop(.fast) } else { try? remove() }
    }

    /// A connection string for the owner and the database of the options.
    package var ownerConnectionString: String {
        connectionString(user: options.owner, database: options.database)
    }

    /// A connection string for a role that exists in the cluster.
    package func connectionString(user: String, database: String) -> String {
        func escape(_ text: String) -> String {
            let plain = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
            return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
        }
        return "postgresql://\(escape(user))@/\(escape(database))?host=\(escape(socketDirectory))"
    }

    /// The process id of the server while it runs.
    package var processID: Int32? { state.withLock { $0.server?.processID } }

    /// Whether the server has been started and its first process lives. False for one that ended by itself, as it does
    /// when it finds no room for its log; `stop` and `start` bring it back.
    package var isRunning: Bool { state.withLock { $0.server?.poll() == nil && $0.server != nil } }

    /// The end of the server's log.
    package var logTail: String {
        let data = FileManager.default.contents(atPath: logPath) ?? Data()
        return String(decoding: data.suffix(2000), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private var logPath: String { options.dataDirectory + "/server.log" }
}

// MARK: Start and stop

extension EmbeddedPostgres {
    /// How a server is stopped.
    package enum StopMode: Sendable {
        /// Ends all sessions, writes everything out.
        case fast
        /// Ends at once; the next start recovers from the log, as after a crash.
        case immediate
        /// Kills the first process without warning: what a crash of the machine's memory would look like.
        case kill

        var signal: Int32 {
            switch self {
            case .fast: SIGINT
            case .immediate: SIGQUIT
            case .kill: SIGKILL
            }
        }
    }

    /// Starts the server again after `stop`.
    package func start() throws {
        try state.withLock { state in
            guard state.server == nil else { throw EmbeddedPostgresError.wrongState("the server runs already") }
            let deadline = ContinuousClock.now + options.timeout
            try waitForPredecessor()
            // One log per start, and the one before.
            _ = unsafe rename(logPath, logPath + ".1")
            let server = try ChildProcess.start(serverCommand, output: logPath)
            var watch: ParentWatch?
            do {
                watch = try ParentWatch(
                    server: server.processID,
                    dataDirectory: options.dataDirectory,
                    socketDirectoryToRemove: socketDirectory == options.dataDirectory ? nil : socketDirectory,
                    isDurable: options.isDurable,
                    account: account
                )
                try waitUntilReady(server, deadline)
            } catch {
                watch?.cancel()
                if server.poll() == nil {
                    kill(server.processID, SIGKILL)
                    _ = server.wait()
                }
                throw error
            }
            state.server = server
            state.watch = watch
        }
    }

    /// Stops the server and waits until all its processes are gone. The data stay for another `start`.
    package func stop(_ mode: StopMode = .fast) throws {
        try state.withLock { state in
            guard let server = state.server else { return }
            state.watch?.cancel()
            state.watch = nil
            state.server = nil
            // The number of a process that has ended may be another one's by now.
            if server.poll() == nil { kill(server.processID, mode.signal) }
            let deadline = ContinuousClock.now + options.timeout
            try wait(until: deadline, "stop") { server.poll() != nil }
            // The others notice the loss of a killed first process by themselves.
            try wait(until: deadline, "stop") { directory.serverProcesses.isEmpty }
        }
    }

    /// Stops the server and starts it again.
    package func restart(_ mode: StopMode = .fast) throws {
        try stop(mode)
        try start()
    }

    /// Stops the server and removes its data.
    package func remove() throws {
        try stop(.immediate)
        try? FileManager.default.removeItem(atPath: options.dataDirectory)
        if socketDirectory != options.dataDirectory { try? FileManager.default.removeItem(atPath: socketDirectory) }
    }

    /// Freezes all processes of the server, so that it neither answers nor closes a connection, until `resume`.
    package func pause() {
        for process in directory.serverProcesses { kill(process, SIGSTOP) }
    }

    /// Ends `pause`.
    package func resume() {
        for process in directory.serverProcesses { kill(process, SIGCONT) }
    }

    private var serverCommand: [String] {
        let settings = options.serverSettings(socketDirectory: socketDirectory)
            .flatMap { ["-c", "\($0)=\($1)"] }
        return account.commandPrefix + [programs.postgres, "-D", options.dataDirectory] + settings
    }

    /// A server that ran here before may still be on its way down: the one of a process that was killed a moment ago.
    private func waitForPredecessor() throws {
        let deadline = ContinuousClock.now + min(options.timeout, .seconds(10))
        while true {
            let processes = directory.serverProcesses
            guard let process = processes.first else { break }
            if ContinuousClock.now > deadline {
                let first = directory.serverState?.processID ?? process
                throw EmbeddedPostgresError.dataDirectoryInUse(path: options.dataDirectory, processID: first)
            }
            usleep(10_000)
        }
        directory.removeStaleLock()
    }

    private func waitUntilReady(_ server: ChildProcess, _ deadline: ContinuousClock.Instant) throws {
        try wait(until: deadline, "start") {
            guard server.poll() == nil else { throw EmbeddedPostgresError.startFailed(log: logTail) }
            let state = directory.serverState
            return state?.isReady == true && state?.processID == server.processID
        }
    }

    private func wait(
        until deadline: ContinuousClock.Instant,
        _ action: String,
        _ condition: () throws -> Bool
    ) throws {
        while try !condition() {
            if ContinuousClock.now > deadline {
                throw EmbeddedPostgresError.timedOut(action: action, log: logTail)
            }
            usleep(3_000)
        }
    }
}

// MARK: Setting up

extension EmbeddedPostgres {
    private static func prepare(
        _ directory: DataDirectory,
        _ options: EmbeddedPostgresOptions,
        _ programs: ServerPrograms,
        _ account: ServerAccount
    ) throws {
        switch directory.contents {
        case .other:
            throw EmbeddedPostgresError.dataDirectoryNotEmpty(path: directory.path)
        case .cluster(let version):
            let programVersion = try programs.majorVersion()
            guard version == programVersion else {
                throw EmbeddedPostgresError.versionMismatch(
                    path: directory.path,
                    dataVersion: version,
                    programVersion: programVersion
                )
            }
            try account.checkCanReach(directory.path)
        case .missingOrEmpty:
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
            try account.checkCanReach(directory.path)
            try account.takeOwnership(of: directory.path)
            guard unsafe chmod(directory.path, 0o700) == 0 else {
                throw EmbeddedPostgresError.system(action: "chmod \(directory.path)", errno: errno)
            }
            try initialize(directory, options, programs, account)
        }
    }

    /// Collation C and character type C.UTF-8 order text by code point, as C.UTF-8 for both would; C compares bytes
    /// without asking the C library.
    private static func initialize(
        _ directory: DataDirectory,
        _ options: EmbeddedPostgresOptions,
        _ programs: ServerPrograms,
        _ account: ServerAccount
    ) throws {
        var command =
            account.commandPrefix + [
                programs.initdb, "-D", directory.path, "-U", options.owner, "-E", "UTF8", "--lc-collate=C",
                "--lc-ctype=C.UTF-8", "--lc-messages=C", "--data-checksums", "-A", "trust", "--no-instructions",
            ]
        if !options.isDurable { command.append("--no-sync") }
        do {
            _ = try ChildProcess.output(of: command)
        } catch {
            // A half-made cluster would be taken for a whole one next time.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] {
                try? FileManager.default.removeItem(atPath: directory.path + "/" + name)
            }
            throw error
        }
    }

    private static func makeShortDirectory(_ account: ServerAccount) throws -> String {
        var template = Array("/tmp/entitled-pg-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
        }
        guard let made else { throw EmbeddedPostgresError.system(action: "mkdtemp in /tmp", errno: errno) }
        try account.takeOwnership(of: made)
        return made
    }

    private func makeDatabase() throws {
        let maintenance = connectionString(user: options.owner, database: "postgres")
        let session = try PostgresSession(PostgresConfiguration(connectionString: maintenance))
        let found = try session.query(
            "SELECT 1 FROM pg_database WHERE datname = $1",
            [.text(options.database)]
        )
        guard found.isEmpty else { return }
        try session.execute("CREATE DATABASE " + PostgresSession.quoteIdentifier(options.database))
    }
}
