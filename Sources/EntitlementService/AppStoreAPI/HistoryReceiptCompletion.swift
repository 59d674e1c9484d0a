import AppStore
import EntitlementDomain

/// Completes what a receipt told from the App Store's history, for a short while: the receipt's own facts are in the log
/// already, and reconciliation finds later what is missing.
struct HistoryReceiptCompletion: ReceiptCompletion {
    /// The longest time that a call waits for the App Store.
    private static let patience: Duration = .seconds(10)

    let clients: AppStoreClients
    let completion: LineCompletion

    func complete(
        transactionID: String,
        bundleID: String,
        environment: StoreEnvironment,
        account: AccountID?
    ) async {
        guard let client = clients[bundleID], client.environments.contains(environment) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try? await completion.complete(transactionID, in: environment, with: [client], claim: account)
            }
            group.addTask { try? await Task.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }
}
