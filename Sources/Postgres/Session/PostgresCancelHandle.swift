import CLibpq
import Glibc
import Synchronization

/// Stops, from any thread, what a session is doing.
///
/// Sendable because its state is behind a mutex and libpq allows PQcancel from any thread (PostgreSQL manual, section
/// 34.7). The mutex is held while a cancel request is under way, and the session takes it when a command ends: so a
/// late request never hits the session's next command.
@safe
package final class PostgresCancelHandle: @unchecked Sendable {
    private struct State {
        /// A command is under way.
        var isActive = false
        /// The command under way was asked to stop.
        var isRequested = false
        /// Commands are refused until `endJob`.
        var isInterrupted = false
        /// Why the last request did not reach the server.
        var failure: String?
    }

    private let state: Mutex<State>
    /// libpq's copy of what a request needs; nil once the session is closed. Only touched while `state` is locked.
    private var request: OpaquePointer?
    /// Readable while a request is pending, so that a wait on the socket ends.
    let wakeDescriptor: Int32

    /// Takes ownership of `request`.
    init(owning request: OpaquePointer?) {
        state = Mutex(State())
        unsafe self.request = request
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    }

    deinit {
        close()
        if wakeDescriptor >= 0 { _ = Glibc.close(wakeDescriptor) }
    }

    /// Asks the server to stop the command under way, which then fails with kind `cancelled`, and ends a wait for
    /// notifications. Blocks for one round trip: not for a cooperative thread.
    ///
    /// - Returns: whether there was anything to stop.
    @discardableResult
    package func cancel() -> Bool {
        state.withLock { state in
            guard state.isActive else { return false }
            send(&state)
            return true
        }
    }

    /// As `cancel`, and refuses every further command until `endJob`.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            if state.isActive { send(&state) }
        }
    }

    private func send(_ state: inout State) {
        state.isRequested = true
        wake()
        guard let request = unsafe request else { return }
        var buffer = [CChar](repeating: 0, count: 256)
        if unsafe PQcancel(request, &buffer, Int32(buffer.count)) == 0 {
            unsafe state.failure = buffer.withUnsafeBufferPointer { unsafe String(cString: $0.baseAddress!) }
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = unsafe write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: The session's side

    /// Marks the start of a command.
    ///
    /// - Parameter whenInterrupted: lets the command run although the job was interrupted: for ROLLBACK.
    func beginCommand(whenInterrupted: Bool) throws(PostgresError) {
        let refused = state.withLock { state in
            if state.isInterrupted && !whenInterrupted { return true }
            state.isActive = true
            return false
        }
        if refused { throw Self.cancelled }
    }

    /// Marks the end of a command, after any request under way has been answered.
    ///
    /// - Returns: whether the command was asked to stop.
    @discardableResult
    func endCommand() -> Bool {
        state.withLock { state in
            let wasRequested = state.isRequested
            state.isActive = false
            state.isRequested = false
            if wasRequested {
                var counter: UInt64 = 0
                _ = unsafe read(wakeDescriptor, &counter, MemoryLayout<UInt64>.size)
            }
            return wasRequested
        }
    }

    /// Whether the command under way was asked to stop.
    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Allows commands again.
    func endJob() {
        state.withLock { $0.isInterrupted = false }
    }

    /// Gives libpq's memory back; later requests do nothing.
    func close() {
        state.withLock { _ in
            unsafe PQfreeCancel(request)
            unsafe request = nil
        }
    }

    static let cancelled = PostgresError(.cancelled, "the work was cancelled")
}
