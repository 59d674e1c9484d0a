package import EntitlementDomain
import JSON

extension ServerAPIClient {
    /// The last transaction and renewal info of each subscription of a customer (App Store Server API, Get All Subscription
    /// Statuses).
    ///
    /// - Parameters:
    ///   - id: any transaction id, original transaction id or app transaction id of the customer.
    ///   - statuses: those only; empty: all.
    package func subscriptionStatuses(
        of id: String,
        statuses: [SubscriptionStatus] = [],
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) -> SubscriptionStatuses {
        var request = ServerAPIRequest(.get, "inApps", "v1", "subscriptions", id)
        request.query = statuses.map { ("status", "\($0.rawValue)") }
        return try await find(request, in: environment, decode: SubscriptionStatuses.init)
    }

    /// Makes the current period of one subscription longer (App Store Server API, Extend a Subscription Renewal Date).
    ///
    /// Not repeated when nobody knows what became of a try: a second extension would be one more.
    package func extendRenewalDate(
        of originalTransactionID: String,
        _ wish: RenewalExtension,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) -> RenewalExtensionResult {
        var request = ServerAPIRequest(.put, "inApps", "v1", "subscriptions", "extend", originalTransactionID)
        request.body = wish.body
        request.isRepeatable = false
        return try await find(request, in: environment, decode: RenewalExtensionResult.init)
    }

    /// Makes the current periods of all subscribers of a product longer (App Store Server API, Extend Subscription Renewal
    /// Dates for All Active Subscribers).
    ///
    /// - Parameter storefronts: ISO 3166-1 alpha-3 codes; nil: everywhere.
    /// - Returns: the request identifier, to ask how far it is.
    package func extendRenewalDates(
        ofProduct productID: String,
        _ wish: RenewalExtension,
        storefronts: [String]? = nil,
        in environment: StoreEnvironment
    ) async throws(ServerAPIError) -> String {
        var body = wish.body
        body["productId"] = .string(productID)
        body["storefrontCountryCodes"] = storefronts.map { .array($0.map(JSONValue.string)) }
        var request = ServerAPIRequest(.post, "inApps", "v1", "subscriptions", "extend", "mass")
        request.body = body
        request.isRepeatable = false
        return try await call(request, in: environment) { response throws(ServerAPIError) in
            try response.text("requestIdentifier")
        }
    }

    /// How far an extension for all subscribers is (App Store Server API, Get Status of Subscription Renewal Date
    /// Extensions).
    package func massExtensionStatus(
        ofProduct productID: String,
        requestIdentifier: String,
        in environment: StoreEnvironment
    ) async throws(ServerAPIError) -> MassExtensionStatus {
        try await call(
            ServerAPIRequest(.get, "inApps", "v1", "subscriptions", "extend", "mass", productID, requestIdentifier),
            in: environment,
            decode: MassExtensionStatus.init
        )
    }
}
