import Foundation
import Glibc
import Synchronization

/// A process of the program, and what it has printed so far. It is killed with this object, if it still runs then.
///
/// Made of the system's own calls and one thread for each thing that is waited for.
final class RunningProgram: Sendable {
    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var status: Int32?
        /// Both streams and the process itself have to end.
        var openEnds = 3
        /// How often this state has changed.
        var changes = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: SharedState
    let processID: Int32

    /// Shared with the threads that wait.
    private final class SharedState: Sendable {
        let mutex = Mutex(State())

        func update(_ change: (inout State) -> Void) {
            let waiters = mutex.withLock { state in
                change(&state)
                state.changes += 1
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    struct SystemError: Error {
        var call: String
        var code: Int32
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - path: another program's file.
    ///   - environment: variables beside those of this process; `ENTITLED_…` of this process are left out.
    init(_ arguments: [String], of path: String = Program.path, environment: [String: String] = [:]) throws {
        let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ENTITLED_") }
            .merging(environment) { $1 }
        let (processID, output, errors) = try Self.starting.withLock { _ in
            let (output, errors) = (try Self.pipe(), try Self.pipe())
            let processID = try Self.spawn(
                [path] + arguments,
                variables.map { "\($0.key)=\($0.value)" },
                output: output.write,
                errors: errors.write
            )
            close(output.write)
            close(errors.write)
            return (processID, output, errors)
        }
        self.processID = processID
        let state = SharedState()
        self.state = state
        Self.read(output.read, state) { $0.output += $1 }
        Self.read(errors.read, state) { $0.errors += $1 }
        Thread.detachNewThread {
            var status: Int32 = 0
            while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
            // The macros of <sys/wait.h>: the low seven bits are the signal, the byte above is the exit status.
            let signal = status & 0x7F
            let result = signal == 0 ? (status >> 8) & 0xFF : -signal
            state.update { state in
                state.status = result
                state.openEnds -= 1
            }
        }
    }

    deinit {
        if state.mutex.withLock({ $0.status }) == nil { kill(processID, SIGKILL) }
    }

    /// One process is started at a time, so that none inherits a pipe of another that is not yet marked.
    private static let starting = Mutex(())

    /// Both ends close by themselves in a process that is started.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe Glibc.pipe(&ends) == 0 else { throw SystemError(call: "pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// The process gets these two descriptors and no signal blocked or ignored, whatever this thread does.
    private static func spawn(
        _ arguments: [String],
        _ environment: [String],
        output: Int32,
        errors: Int32
    ) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        // Nothing of the tests beside: their listening sockets and connections would count as the program's.
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap({ Int32($0) })
        where descriptor > 2 {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let argumentList = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let environmentList = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe argumentList.indices { unsafe free(argumentList[index]) }
            for index in unsafe environmentList.indices { unsafe free(environmentList[index]) }
        }
        var processID: pid_t = 0
        let code = unsafe posix_spawn(&processID, arguments[0], &actions, &attributes, argumentList, environmentList)
        guard code == 0 else { throw SystemError(call: "posix_spawn \(arguments[0])", code: code) }
        return processID
    }

    /// Reads a stream to its end.
    private static func read(
        _ descriptor: Int32,
        _ state: SharedState,
        _ take: @escaping @Sendable (inout State, ArraySlice<UInt8>) -> Void
    ) {
        Thread.detachNewThread {
            var piece = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = unsafe piece.withUnsafeMutableBytes { bytes in
                    unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
                }
                if count < 0, errno == EINTR { continue }
                if count <= 0 { break }
                state.update { take(&$0, piece[..<count]) }
            }
            close(descriptor)
            state.update { $0.openEnds -= 1 }
        }
    }

    /// Everything printed to standard output so far.
    var output: String { state.mutex.withLock { String(decoding: $0.output, as: UTF8.self) } }
    /// Everything printed to standard error so far.
    var errors: String { state.mutex.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    /// The first line of standard output, once it is whole.
    ///
    /// - Throws: `EndedEarly` when the process ends without one.
    func firstLine() async throws -> String {
        let line = await when { state -> String?? in
            if let end = state.output.firstIndex(of: UInt8(ascii: "\n")) {
                return .some(String(decoding: state.output[..<end], as: UTF8.self))
            }
            return state.openEnds == 0 ? .some(nil) : nil
        }
        guard let line else { throw EndedEarly(output: output, errors: errors) }
        return line
    }

    /// Waits for the end.
    ///
    /// - Returns: the exit status, or the negative number of the signal that ended it.
    func end() async -> Int32 {
        await when { $0.openEnds == 0 ? $0.status : nil }
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(processID, number)
    }

    /// Waits until `look` finds something in the state, which it is shown now and after every change.
    private func when<Value: Sendable>(_ look: @Sendable (State) -> Value?) async -> Value {
        while true {
            let (found, changes) = state.mutex.withLock { (look($0), $0.changes) }
            if let found { return found }
            await withCheckedContinuation { continuation in
                let isOutdated = state.mutex.withLock { state in
                    if state.changes != changes { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isOutdated { continuation.resume() }
            }
        }
    }

    struct EndedEarly: Error, CustomStringConvertible {
        var output: String
        var errors: String
        var description: String { "the program ended early: \(output) \(errors)" }
    }
}
