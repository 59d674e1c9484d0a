/// Sends HTTP requests. There is one real implementation, ``URLSessionTransport``; tests count, delay or replace it.
package protocol ServerAPITransport: Sendable {
    /// Sends one request and gives the response, whatever its status. Follows no redirect: the authorization would go
    /// with it.
    ///
    /// - Throws: ``ServerAPITransportFailure`` when no response came. The request may have had its effect all the same.
    func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply
}
