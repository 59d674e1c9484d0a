package import EntitlementDomain

/// Completes what a receipt told: fetches the customer's whole history from the App Store, whose signed transactions know
/// more than a receipt, and appends it. There is one only where credentials of the App Store Server API are configured.
package protocol ReceiptCompletion: Sendable {
    /// Fetches and appends. A failure is this call's own matter: what the receipt told is in the log already, and stays.
    ///
    /// - Parameters:
    ///   - transactionID: any transaction of the customer in this app; the App Store finds the others by it.
    ///   - account: who claims the purchases; nil: nobody.
    func complete(
        transactionID: String,
        bundleID: String,
        environment: StoreEnvironment,
        account: AccountID?
    ) async
}
