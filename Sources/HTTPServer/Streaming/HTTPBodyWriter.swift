/// Where a streamed body is written to.
package struct HTTPBodyWriter: Sendable {
    let stream: ResponseStream

    /// Sends bytes. Returns at once while little is buffered, else when the client has taken enough of it.
    ///
    /// - Throws: `CancellationError` when the client is gone, the server stops or the task is cancelled.
    package func write(_ bytes: [UInt8]) async throws {
        try await stream.write(bytes)
    }

    /// Sends text as UTF-8.
    package func write(_ text: String) async throws {
        try await stream.write(Array(text.utf8))
    }
}
