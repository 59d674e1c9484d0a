import AppStore

/// Counts the calls of the App Store Server API for the metrics, and for the budget of reconciliation.
struct CountingTransport: ServerAPITransport {
    let transport: any ServerAPITransport
    let metrics: ServiceMetrics
    /// Nil: the calls are on nobody's budget.
    var budget: ReconcileBudget?

    func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply {
        budget?.count()
        do throws(ServerAPITransportFailure) {
            let reply = try await transport.send(call)
            metrics.countAppStoreCall("\(reply.status)")
            return reply
        } catch {
            metrics.countAppStoreCall("none")
            throw error
        }
    }
}
