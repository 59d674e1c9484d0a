import AppStore
import EntitlementDomain
import JSON

/// The members of a command for a fake App Store.
struct FakeCommand: Sendable {
    private let members: JSONObject

    init(_ members: JSONObject) {
        self.members = members
    }

    /// `Production` unless it says `Sandbox`.
    var environment: StoreEnvironment { members["environment"] == "Sandbox" ? .sandbox : .production }

    func optionalText(_ name: String) -> String? { members[name]?.stringValue }
    func optionalInteger(_ name: String) -> Int64? { members[name]?.int64Value }
    func flag(_ name: String) -> Bool? { members[name]?.boolValue }

    func text(_ name: String) throws(FakeStoreError) -> String {
        guard let text = members[name]?.stringValue else { throw .unknown("\(name) must be text") }
        return text
    }

    func integer(_ name: String) throws(FakeStoreError) -> Int64 {
        guard let number = members[name]?.int64Value else { throw .unknown("\(name) must be a whole number") }
        return number
    }

    func account() throws(FakeStoreError) -> AccountID? {
        guard let text = members["account"]?.stringValue else { return nil }
        guard let account = AccountID(text) else { throw .unknown("account must be a UUID") }
        return account
    }

    /// A product: `product`, and of a subscription `group` and `period`; a monthly one when `type` is left out.
    func product() throws(FakeStoreError) -> FakeProduct {
        let id = try text("product")
        let name = members["type"]?.stringValue ?? ProductType.autoRenewable.rawValue
        guard let type = ProductType(rawValue: name) else {
            throw .unknown("type must be one of \(ProductType.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        var product = type == .autoRenewable ? FakeProduct.monthly(id) : FakeProduct(id, type)
        if let group = optionalText("group") { product.group = group }
        if let text = optionalText("period") {
            guard let period = CalendarDuration(iso8601: text) else {
                throw .unknown("period must be an ISO 8601 duration such as P1M")
            }
            product.period = period
        }
        if let price = optionalInteger("price") { product.price = price }
        return product
    }

    /// What a failure looks like: one of `code`, `status`, `rateLimitSeconds`, `with`.
    func effect() throws(FakeStoreError) -> InjectedFault.Effect {
        if let code = optionalInteger("code") {
            guard (4_000_000...5_999_999).contains(code) else { throw .unknown("code must be one such as 4040010") }
            return .code(code)
        }
        if let status = optionalInteger("status") {
            guard (200...599).contains(status) else { throw .unknown("status must be one from 200 to 599") }
            return .status(Int(status))
        }
        if let seconds = optionalInteger("rateLimitSeconds") {
            guard (0...86_400).contains(seconds) else { throw .unknown("rateLimitSeconds must be from 0 to 86400") }
            return .rateLimit(milliseconds: seconds * 1_000)
        }
        switch optionalText("with") {
        case "cut": return .cut
        case "garbage": return .garbage
        case "forgery": return .forgery
        case "endlessPages": return .endlessPages
        case "unauthorized": return .unauthorized
        default:
            throw .unknown(
                "give code, status or rateLimitSeconds, or with: cut, garbage, forgery, endlessPages, unauthorized"
            )
        }
    }
}
