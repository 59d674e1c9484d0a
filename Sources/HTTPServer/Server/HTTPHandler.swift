/// What answers requests.
package protocol HTTPHandler: Sendable {
    /// Answers a request.
    ///
    /// This runs on a thread that serves many connections, so it must not block: it gives a response that is ready, or
    /// work for later.
    func reply(to request: HTTPRequest) -> HTTPReply
}

/// A response, or the work that leads to one.
package enum HTTPReply: Sendable {
    /// The response is ready.
    case now(HTTPResponse)
    /// The response is what this gives. It runs in a task of its own while the connection waits, and is cancelled when
    /// the client goes away.
    case later(@Sendable () async -> HTTPResponse)
    /// The response is what this calls the given function with, once and from any thread, while the connection waits. No
    /// task is made for it; it is not cancelled.
    case called(@Sendable (_ respond: @escaping @Sendable (HTTPResponse) -> Void) -> Void)

    /// The response, for a caller that can wait.
    package var response: HTTPResponse {
        get async {
            switch self {
            case .now(let response): response
            case .later(let work): await work()
            case .called(let begin):
                await withCheckedContinuation { continuation in begin { continuation.resume(returning: $0) } }
            }
        }
    }
}
