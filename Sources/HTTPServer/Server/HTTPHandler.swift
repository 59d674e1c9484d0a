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
}
