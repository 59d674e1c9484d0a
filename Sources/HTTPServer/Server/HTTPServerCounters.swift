/// What a server has done so far, and what it is doing.
package struct HTTPServerCounters: Sendable, Hashable {
    /// Connections accepted so far.
    package var connections = 0
    /// Connections open now.
    package var openConnections = 0
    /// Requests whose header fields have arrived, so far.
    package var requests = 0
    /// Requests that are being read or answered now.
    package var requestsInFlight = 0
    /// Requests refused for their size or form, so far.
    package var refusedRequests = 0
    /// Connections cut because a request took too long to arrive, so far.
    package var slowClients = 0
    /// Bytes of request bodies so far.
    package var requestBodyBytes = 0
    /// Bytes of response bodies handed over for sending so far.
    package var responseBodyBytes = 0

    package init() {}
}
