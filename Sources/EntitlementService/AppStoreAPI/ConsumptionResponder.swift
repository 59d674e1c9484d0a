import AppStore
import EntitlementDomain
import EventStore
import JSON

/// Answers the App Store's requests for consumption information, where the operator has configured how.
///
/// A request comes again with a new identity when no answer came, so one that is lost with the process is no harm.
struct ConsumptionResponder: Sendable {
    let clients: AppStoreClients
    /// Nil: nothing is ever answered.
    let answer: ConsumptionAnswer?
    let metrics: ServiceMetrics

    /// Answers, if this is a request and answering is configured. Returns at once; the call goes on by itself.
    func respond(to statement: Statement) {
        guard let answer, statement.notificationType == NotificationType.consumptionRequest.rawValue,
            let id = statement.facts.transaction?.transactionID, let client = clients[statement.bundleID]
        else { return }
        let environment = statement.environment
        let metrics = metrics
        Task {
            do throws(ServerAPIError) {
                try await client.sendConsumption(answer.information, of: id, in: environment)
                metrics.countConsumption("answered")
            } catch {
                metrics.countConsumption("failed")
            }
        }
    }
}
