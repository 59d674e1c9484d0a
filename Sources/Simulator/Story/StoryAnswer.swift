import JSON

/// An answer of `entitlements.get` in one line of plain words.
struct StoryAnswer {
    private let result: JSONValue

    init(_ result: JSONValue) {
        self.result = result
    }

    var text: String {
        let entitlements = (result["entitlements"]?.arrayValue ?? []).map(Self.describe)
        let balances = (result["balances"]?.objectValue ?? JSONObject()).members.map { "\($0.key) \($0.value)" }
        let parts = (entitlements.isEmpty ? ["no entitlements"] : entitlements) + balances
        return parts.joined(separator: "; ")
    }

    private static func describe(_ entry: JSONValue) -> String {
        let name = entry["entitlement"]?.stringValue ?? "?"
        let product = entry["productId"]?.stringValue ?? "?"
        let end = entry["expiresAt"]?.stringValue.map { String($0.prefix(10)) }
        switch entry["state"]?.stringValue {
        case "active":
            let willRenew = entry["willRenew"]?.boolValue == true ? ", renews" : ""
            return end.map { "\(name) until \($0) (\(product)\(willRenew))" } ?? "\(name) for good (\(product))"
        case "inGracePeriod":
            let grace = entry["gracePeriodExpiresAt"]?.stringValue.map { " until " + $0.prefix(10) } ?? ""
            return "\(name) in grace\(grace) (\(product))"
        case "inBillingRetryPeriod":
            return "\(name) not paid (\(product))"
        case "expired":
            return "\(name) expired\(end.map { " on \($0)" } ?? "") (\(product))"
        case let state:
            return "\(name) \(state ?? "?") (\(product))"
        }
    }
}
