package import EntitlementDomain
package import JSON

/// A question to the service and what the answer must say.
package struct ScenarioExpectation: Sendable {
    /// Whom a question is about.
    package enum Subject: Sendable, Hashable {
        case account(AccountID)
        case line(originalTransactionID: String)
    }

    /// One thing to be true.
    package enum Check: Sendable {
        /// The entry of this entitlement contains these values.
        case entitlement(String, JSONObject)
        /// These balances are equal; a currency that was never credited has the balance 0.
        case balances(JSONObject)
        /// The call's result contains this.
        case result(ScenarioCall, JSONValue)
        /// The call fails for this reason.
        case failure(ScenarioCall, reason: String)
        /// The log holds events of exactly these types, in this order.
        case eventTypes([String])
    }

    /// Its place in the file's list, 0 for the first.
    package let index: Int
    /// The line of the file where it begins.
    package let line: Int
    /// The delivery after which it is asked, in listed order only; nil: when all deliveries are in, in every order.
    package let after: String?
    /// The instant asked about, which is also the clock's time.
    package let at: Instant
    /// Nil only where every check is a call, which names its own.
    package let subject: Subject?
    /// Nil stands for the service's default.
    package let environment: StoreEnvironment?
    package let checks: [Check]
}

extension ScenarioExpectation.Subject: CustomStringConvertible {
    package var description: String {
        switch self {
        case .account(let account): "account \(AccountNames.name(of: account) ?? account.description)"
        case .line(let id): "originalTransactionId \(id)"
        }
    }
}
