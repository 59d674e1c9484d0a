package import EntitlementDomain
import JSON

/// All subscriptions of a customer in an app (App Store Server API, StatusResponse). In no particular order.
package struct SubscriptionStatuses: Sendable {
    /// The last transaction of one line.
    package struct Line: Sendable {
        package var subscriptionGroupID: String?
        package var originalTransactionID: String?
        /// Not signed: to compare with, not to build on.
        package var status: SubscriptionStatus?
        /// Transaction and renewal info together.
        package var statement: SignedResponsePart
    }

    package var environment: StoreEnvironment
    package var bundleID: String?
    package var lines: [Line]

    init(_ reader: ResponseReader) throws(ServerAPIError) {
        environment = reader.environment
        bundleID = reader.object["bundleId"]?.stringValue
        var lines: [Line] = []
        for group in try reader.list("data") {
            for last in group["lastTransactions"]?.arrayValue ?? [] {
                guard let text = last["signedTransactionInfo"]?.stringValue else {
                    throw .malformedResponse("an entry of lastTransactions has no signedTransactionInfo")
                }
                lines.append(
                    Line(
                        subscriptionGroupID: group["subscriptionGroupIdentifier"]?.stringValue,
                        originalTransactionID: last["originalTransactionId"]?.stringValue,
                        status: last["status"]?.int64Value.map { SubscriptionStatus(rawValue: Int($0)) },
                        statement: reader.part(text, renewalInfo: last["signedRenewalInfo"]?.stringValue)
                    )
                )
            }
        }
        self.lines = lines
    }
}
