import Synchronization

/// The counters behind `HTTPServerCounters`. Each stands alone, so no order between them is needed.
final class CounterSet: Sendable {
    let connections = Atomic(0)
    let openConnections = Atomic(0)
    let requests = Atomic(0)
    let requestsInFlight = Atomic(0)
    let refusedRequests = Atomic(0)
    let slowClients = Atomic(0)
    let requestBodyBytes = Atomic(0)
    let responseBodyBytes = Atomic(0)

    var snapshot: HTTPServerCounters {
        var counters = HTTPServerCounters()
        counters.connections = connections.load(ordering: .relaxed)
        counters.openConnections = openConnections.load(ordering: .relaxed)
        counters.requests = requests.load(ordering: .relaxed)
        counters.requestsInFlight = requestsInFlight.load(ordering: .relaxed)
        counters.refusedRequests = refusedRequests.load(ordering: .relaxed)
        counters.slowClients = slowClients.load(ordering: .relaxed)
        counters.requestBodyBytes = requestBodyBytes.load(ordering: .relaxed)
        counters.responseBodyBytes = responseBodyBytes.load(ordering: .relaxed)
        return counters
    }
}
