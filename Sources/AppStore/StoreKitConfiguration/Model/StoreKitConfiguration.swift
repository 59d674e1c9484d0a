package import JSON

/// A StoreKit configuration: the `.storekit` file in which Xcode keeps the products of an app for local testing.
///
/// Apple publishes no description of the format. What is read here is what Xcode writes, versions 2 to 5:
///
/// - `version`: an object of two whole numbers, `major` and `minor`.
/// - `products`: consumables and non-consumables; `nonRenewingSubscriptions`: passes, without a duration;
///   `subscriptionGroups`: groups, each with its `subscriptions`. An absent list is an empty one.
/// - A product: `productID`, `type`, `referenceName`, `displayPrice` (text), `familyShareable`.
/// - A subscription besides: `groupNumber` (level of service, 1 is the highest), `recurringSubscriptionPeriod`,
///   `introductoryOffer` and, from version 5, `introductoryOffers`; `adHocOffers`, `codeOffers`, `winbackOffers`, and
///   from version 5 `billingPlans`.
///
/// Members of other names are passed over: each Xcode adds some.
package struct StoreKitConfiguration: Sendable, Hashable {
    package var version: StoreKitVersion
    /// Consumables and non-consumables, in the order of the file.
    package var products: [StoreKitProduct]
    /// Non-renewing subscriptions, in the order of the file.
    package var passes: [StoreKitProduct]
    package var groups: [StoreKitSubscriptionGroup]

    /// How many products it names, subscriptions included.
    package var productCount: Int {
        products.count + passes.count + groups.reduce(0) { $0 + $1.subscriptions.count }
    }

    /// Whether a document is meant as a StoreKit configuration, right or wrong, and not as a catalog of this service.
    package static func recognizes(_ document: JSONValue) -> Bool {
        guard let object = document.objectValue else { return false }
        func has(_ key: String) -> Bool { object[key] != nil }
        if has("entitlements") || has("currencies") { return false }
        if has("subscriptionGroups") || has("nonRenewingSubscriptions") || has("subscriptions") { return true }
        return has("version") && has("products")
    }

    /// Reads a file whole.
    ///
    /// - Returns: the configuration, and warnings about what can be read but looks wrong.
    /// - Throws: every problem at once, each with its line.
    package static func read(
        _ bytes: [UInt8]
    ) throws(StoreKitConfigurationError) -> (configuration: StoreKitConfiguration, warnings: [StoreKitProblem]) {
        let document: JSONValue
        let map: JSONSourceMap
        do {
            document = try JSONParser.parse(bytes)
            map = try JSONSourceMap(bytes)
        } catch {
            let message = "column \(error.column): \(error.reason)"
            throw StoreKitConfigurationError(problems: [
                StoreKitProblem(severity: .error, line: error.line, path: "", message: message)
            ])
        }
        var reader = StoreKitReader(map: map)
        let configuration = reader.read(document)
        let problems = reader.sortedProblems
        guard let configuration, !problems.contains(where: { $0.severity == .error }) else {
            throw StoreKitConfigurationError(problems: problems)
        }
        return (configuration, problems)
    }
}
