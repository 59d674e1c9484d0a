package import EntitlementDomain
package import JSON

/// The policies as a JSON object: the names and values of the README's table. What is not given keeps its default.
package enum PolicyDocument {
    /// Reads the policies and reports every problem at once.
    ///
    /// - Parameter path: where the object stands, for messages.
    package static func read(_ value: JSONValue, at path: String = "policy") -> (policy: Policy, problems: [String]) {
        var policy = Policy()
        var problems: [String] = []
        guard let object = value.objectValue else { return (policy, ["\(path) must be an object"]) }
        for member in object.members {
            let problem: String?
            switch member.key {
            case "ownership": problem = read(member.value, into: &policy.ownership)
            case "refundAccess": problem = read(member.value, into: &policy.refundAccess)
            case "negativeBalance": problem = read(member.value, into: &policy.negativeBalance)
            case "renewalLeeway": problem = read(member.value, into: &policy.renewalLeeway)
            case "graceWithoutDate": problem = read(member.value, into: &policy.graceWithoutDate)
            case "acceptXcode":
                problem = member.value.boolValue == nil ? "must be true or false" : nil
                policy.acceptXcode = member.value.boolValue ?? false
            case "environments": problem = read(member.value, into: &policy.environments)
            default:
                problem =
                    "is no policy; known: ownership, refundAccess, renewalLeeway, graceWithoutDate, negativeBalance, "
                    + "acceptXcode, environments"
            }
            if let problem { problems.append("\(path).\(member.key) \(problem)") }
        }
        return (policy, problems)
    }

    private static func read<Value: RawRepresentable<String> & CaseIterable>(
        _ json: JSONValue,
        into value: inout Value
    ) -> String? {
        guard let read = json.stringValue.flatMap(Value.init(rawValue:)) else {
            return "must be one of \(Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))"
        }
        value = read
        return nil
    }

    private static func read(_ json: JSONValue, into value: inout CalendarDuration) -> String? {
        guard let read = json.stringValue.flatMap({ CalendarDuration(iso8601: $0) }) else {
            return "must be an ISO 8601 duration such as \"P1D\" or \"PT2H\""
        }
        value = read
        return nil
    }

    private static func read(_ json: JSONValue, into value: inout Set<StoreEnvironment>) -> String? {
        let names = json.arrayValue?.map(\.stringValue) ?? []
        let read = names.compactMap { $0.map { StoreEnvironment(rawValue: $0) } }
        guard !read.isEmpty, read.count == names.count, read.allSatisfy({ [.production, .sandbox].contains($0) }) else {
            return
                "must be an array of \"Production\" and \"Sandbox\", at least one (Xcode has its own switch, acceptXcode)"
        }
        value = Set(read)
        return nil
    }
}
