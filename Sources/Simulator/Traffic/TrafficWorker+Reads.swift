import EntitlementDomain
import Foundation
import JSON
import Synchronization

/// Reads, each compared with what has been acknowledged.
extension TrafficWorker {
    /// After this long every instance knows what was acknowledged by one.
    private static let settled: Duration = .seconds(5)

    /// An acknowledged account, and whether it is entitled by what was acknowledged.
    private mutating func known() -> (acknowledgement: TrafficRecord.Acknowledgement, account: String, isActive: Bool)?
    {
        let place = random.next()
        let found = traffic.state.withLock { state in
            state.recent.isEmpty ? nil : state.recent[Int(place % UInt64(state.recent.count))]
        }
        guard let found else { return nil }
        let plan = traffic.plan
        let (period, number) = found.index.quotientAndRemainder(dividingBy: plan.accounts)
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let (begins, ends) = (plan.date(number, period: period), plan.date(number, period: period + 1))
        return (found, plan.account(number).description, begins.milliseconds < now && now + 60_000 < ends.milliseconds)
    }

    /// `entitlements.get` or `entitlements.check`, of now; what was handed in a moment ago with its position.
    mutating func lookUp() {
        guard let (acknowledgement, account, isActive) = known() else { return }
        var parameters: JSONObject = ["account": .string(account)]
        if acknowledgement.at.duration(to: .now) < Self.settled {
            guard let position = acknowledgement.position else { return }
            parameters["minPosition"] = .string(position)
            parameters["waitMs"] = 3_000
        }
        let asksOne = random.next() % 2 == 0
        if asksOne { parameters["entitlement"] = "pro" }
        let method = asksOne ? "entitlements.check" : "entitlements.get"
        guard let answer = call(method, parameters), answer.isGood else { return }
        let result = answer.json["result"]
        let says = asksOne ? result?["active"] : result?["entitlements"]?[0]?["active"]
        if isActive, says != true { wrong("\(method) of \(account): \(answer.json)") }
    }

    /// `entitlements.getMany` of twenty accounts.
    mutating func lookUpMany() {
        var expected: [String: Bool] = [:]
        for _ in 0..<20 {
            guard let (acknowledgement, account, isActive) = known() else { return }
            expected[account] = isActive && acknowledgement.at.duration(to: .now) >= Self.settled
        }
        let accounts = expected.keys.sorted()
        guard let answer = call("entitlements.getMany", ["accounts": .array(accounts.map { .string($0) })]),
            answer.isGood
        else { return }
        let results = answer.json["result"]?["results"]?.arrayValue ?? []
        for result in results {
            let account = result["account"]?.stringValue ?? ""
            if expected[account] == true, result["entitlements"]?[0]?["active"] != true {
                wrong("entitlements.getMany: \(result)")
            }
        }
        if results.count != accounts.count { wrong("entitlements.getMany left accounts out") }
    }

    /// A long poll of the change feed, from where the last one ended.
    mutating func poll() {
        var parameters: JSONObject = ["limit": 200, "waitMs": 300]
        if let cursor = traffic.state.withLock({ $0.cursor }) { parameters["after"] = .string(cursor) }
        guard let answer = call("changes.list", parameters) else { return }
        let position = answer.isGood ? answer.json["result"]?["position"]?.stringValue : nil
        traffic.state.withLock { $0.cursor = position }
    }

    func wrong(_ text: String) {
        traffic.state.withLock { $0.record.fault("wrong: " + String(text.prefix(400))) }
    }
}
