package import EntitlementDomain
import JSON

/// A catalog as a JSON document.
///
/// The document is an object of three lists, of which only `products` must be there:
///
/// - `entitlements`: `id` (needed) and `name`. Every entitlement that a product grants is listed.
/// - `currencies`: `id` (needed) and `name`. Every currency that a consumable credits is listed.
/// - `products`, each with:
///
/// | member | products | value |
/// | --- | --- | --- |
/// | `productId` | all, needed | text |
/// | `type` | all, needed | `autoRenewable`, `nonConsumable`, `nonRenewing`, `consumable` |
/// | `grants` | all but consumables | list of entitlement ids |
/// | `subscriptionGroup` | autoRenewable, needed | text |
/// | `level` | autoRenewable | level of service in the group, 1 is the highest; all products of a group or none |
/// | `period` | autoRenewable | ISO 8601 duration |
/// | `renewalLeeway` | autoRenewable | ISO 8601 duration, for the policy's |
/// | `duration` | nonRenewing, needed | ISO 8601 duration |
/// | `stacking` | nonRenewing | true or false |
/// | `credits` | consumable | currency id -> units, at least 1 |
/// | `refundAccess` | all | `immediate`, `endOfPeriod`, for the policy's |
/// | `name` | all | text for people |
/// | `familyShareable` | all | true or false |
/// | `billingPlans` | autoRenewable | list of the App Store's names, such as `BILLED_UPFRONT` and `MONTHLY` |
/// | `offers` | all but nonRenewing | list of offers |
///
/// An offer has `type` (`introductory`, `promotional`, `offerCode`, `winBack`), `id` (all but introductory ones),
/// `discountType` (`FREE_TRIAL`, `PAY_AS_YOU_GO`, `PAY_UP_FRONT`, `ONE_TIME`), `period` (ISO 8601, all but ONE_TIME),
/// `periods` (how many, default 1) and `billingPlan`.
///
/// `name`, `familyShareable`, `billingPlans` and `offers` are for people and for programs that read the catalog; access
/// never depends on them, as signed transactions speak for themselves.
///
/// Members of other names are errors, so that a misspelt one is not passed over.
package struct CatalogDocument: Sendable {
    package var catalog: Catalog
    /// The document as canonical JSON: what a `CatalogChanged` event carries.
    package var canonicalJSON: [UInt8]
    /// What can be used but looks like an oversight, in the order of the lines.
    package var warnings: [CatalogError.Problem]

    /// Reads a document and checks it whole.
    ///
    /// - Throws: every problem at once, each with its place.
    package static func read(_ bytes: [UInt8]) throws(CatalogError) -> CatalogDocument {
        let value: JSONValue
        let map: JSONSourceMap
        do {
            value = try JSONParser.parse(bytes)
            map = try JSONSourceMap(bytes)
        } catch {
            let message = "column \(error.column): \(error.reason)"
            throw CatalogError(problems: [.init(line: error.line, path: "", message: message)])
        }
        var reader = CatalogReader(map: map)
        let catalog = reader.read(value)
        let problems = reader.sortedProblems
        let warnings = problems.filter { $0.severity == .warning }
        guard warnings.count == problems.count else {
            throw CatalogError(problems: problems.filter { $0.severity == .error }, warnings: warnings)
        }
        return CatalogDocument(catalog: catalog, canonicalJSON: value.canonicalBytes(), warnings: warnings)
    }
}
