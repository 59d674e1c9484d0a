import EntitlementDomain
import JSON

extension ScenarioReader {
    private static let expectationKeys = [
        "after", "at", "account", "originalTransactionId", "environment", "entitlement", "is", "balances", "rpc",
        "error", "eventTypes",
    ]

    /// The expectations in their order; faulty ones are left out and reported.
    mutating func expectations(
        _ value: JSONValue?,
        _ path: Path,
        deliveries: [ScenarioDelivery]
    ) -> [ScenarioExpectation] {
        guard let value else { return [] }
        guard let elements = value.arrayValue else {
            report(path, expected: "an array of expectations", found: value)
            return []
        }
        let ids = Set(deliveries.map(\.id))
        return elements.enumerated().compactMap { index, element in
            let path = path + [.index(index)]
            guard let object = object(element, path, "an expectation (an object)") else { return nil }
            allowOnly(Self.expectationKeys, in: object, path)
            let after = text("after", in: object, path)
            // While other problems stand, a delivery may be missing here only because it is faulty itself.
            if let after, !ids.contains(after), problems.isEmpty {
                report(path + ["after"], "there is no delivery with the id \"\(after)\"")
            }
            let at = requiredInstant("at", in: object, path)
            let subject = subject(of: object, path)
            let checks = checks(of: object, path)
            guard let at else { return nil }
            return ScenarioExpectation(
                index: index,
                line: line(of: path),
                after: after,
                at: at,
                subject: subject,
                environment: text("environment", in: object, path).map(StoreEnvironment.init(rawValue:)),
                checks: checks
            )
        }
    }

    private mutating func subject(of object: JSONObject, _ path: Path) -> ScenarioExpectation.Subject? {
        let account = account("account", in: object, path)
        let line = text("originalTransactionId", in: object, path)
        let (hasAccount, hasLine) = (object["account"] != nil, object["originalTransactionId"] != nil)
        if hasAccount && hasLine {
            report(path, "expected account or originalTransactionId, found both")
        } else if !hasAccount && !hasLine && object["rpc"] == nil {
            report(path, "expected account or originalTransactionId, found neither")
        }
        return account.map { .account($0) } ?? line.map { .line(originalTransactionID: $0) }
    }

    private mutating func checks(of object: JSONObject, _ path: Path) -> [ScenarioExpectation.Check] {
        var checks: [ScenarioExpectation.Check] = []
        let isAboutCall = object["rpc"] != nil
        if isAboutCall {
            for key in ["entitlement", "balances", "eventTypes"] where object[key] != nil {
                report(path + [.key(key)], "\"rpc\" asks its own question; put \"\(key)\" in another expectation")
            }
            let call = call(object["rpc"], path + ["rpc"])
            let reason = text("error", in: object, path)
            switch (object["is"], object["error"]) {
            case (let value?, nil): call.map { checks.append(.result($0, AccountNames.resolving(value))) }
            case (nil, _?): call.flatMap { call in reason.map { checks.append(.failure(call, reason: $0)) } }
            default: report(path, "\"rpc\" goes with either \"is\" or \"error\"")
            }
            return checks
        }
        if object["error"] != nil { report(path + ["error"], "\"error\" goes with \"rpc\"") }
        checks += entitlementCheck(of: object, path)
        if let value = object["balances"], let balances = self.object(value, path + ["balances"]) {
            for member in balances.members where member.value.doubleValue == nil {
                report(path + ["balances", .key(member.key)], expected: "a number", found: member.value)
            }
            checks.append(.balances(balances))
        }
        if let value = object["eventTypes"] {
            let types = value.arrayValue?.compactMap(\.stringValue)
            if let types, types.count == value.arrayValue?.count {
                checks.append(.eventTypes(types))
            } else {
                report(path + ["eventTypes"], expected: "an array of event types", found: value)
            }
        }
        if ["entitlement", "is", "balances", "eventTypes"].allSatisfy({ object[$0] == nil }) {
            report(path, "nothing is expected; add entitlement and is, balances, rpc or eventTypes")
        }
        return checks
    }

    private mutating func entitlementCheck(of object: JSONObject, _ path: Path) -> [ScenarioExpectation.Check] {
        guard object["entitlement"] != nil || object["is"] != nil else { return [] }
        let entitlement = requiredText("entitlement", in: object, path)
        let values = self.object(object["is"], path + ["is"], "the values of the entry (an object)")
        guard let entitlement, let values else { return [] }
        return [.entitlement(entitlement, values)]
    }
}
