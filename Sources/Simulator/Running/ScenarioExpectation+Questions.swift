import EntitlementDomain
import JSON

extension ScenarioExpectation {
    /// The call that asks for entitlements and balances.
    var question: ScenarioCall {
        var params = keyParams
        params["at"] = .string(at.iso8601)
        return ScenarioCall(method: "entitlements.get", params: params)
    }

    /// The call that asks for the log of the key.
    var logQuestion: ScenarioCall {
        ScenarioCall(method: "events.list", params: keyParams)
    }

    private var keyParams: JSONObject {
        var params = JSONObject()
        switch subject {
        case .account(let account)?: params["account"] = .string(account.description)
        case .line(let id)?: params["originalTransactionId"] = .string(id)
        case nil: break
        }
        if let environment { params["environment"] = .string(environment.rawValue) }
        return params
    }

    /// Where and about what a check asks, for people.
    func place(of check: Check) -> String {
        let what =
            switch check {
            case .entitlement(let id, _): "entitlement \(id)"
            case .balances: "balances"
            case .result(let call, _), .failure(let call, _): call.method
            case .eventTypes: "event types"
            }
        let of = subject.map { " of \($0)" } ?? ""
        let environment = environment.map { " in \($0.rawValue)" } ?? ""
        let after = after.map { " after \($0)" } ?? ""
        return "expectation \(index), line \(line): \(what)\(of)\(environment) at \(at.iso8601)\(after)"
    }
}
