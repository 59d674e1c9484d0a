/// Ends a measurement when the user interrupts it, so that no program of it stays behind.
enum BenchStop {
    /// - Throws: what the work throws; `CommandError` when SIGINT or SIGTERM came first: the work was cancelled then.
    static func unlessStopped<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        // Waits as long as this process lives when no signal comes.
        Task {
            await StopSignal.wait()
            task.cancel()
        }
        do {
            return try await task.value
        } catch is CancellationError {
            throw CommandError(.unavailable, "stopped before the end")
        }
    }
}
