package import EntitlementDomain

extension ServerAPIClient {
    /// Tells about a purchase whose refund was asked for (App Store Server API, Send Consumption Information, v2).
    package func sendConsumption(
        _ information: ConsumptionInformation,
        of transactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) {
        guard information.customerConsented else {
            throw .invalidArgument("consumption information may be sent only with the customer's consent")
        }
        var request = ServerAPIRequest(.put, "inApps", "v2", "transactions", "consumption", transactionID)
        request.body = information.body
        try await perform(request, in: environment)
    }

    /// Tells about a consumable whose refund was asked for, in the older form (App Store Server API, Send Consumption
    /// Information V1, deprecated).
    package func sendConsumption(
        _ information: ConsumptionInformationV1,
        of transactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) {
        guard information.customerConsented else {
            throw .invalidArgument("consumption information may be sent only with the customer's consent")
        }
        var request = ServerAPIRequest(.put, "inApps", "v1", "transactions", "consumption", transactionID)
        request.body = information.body
        // This endpoint says "not found" without a code.
        try await perform(request, in: environment) { refusal in
            refusal.known?.meansUnknownTransaction ?? (refusal.status == 404 && refusal.code == nil)
        }
    }
}
