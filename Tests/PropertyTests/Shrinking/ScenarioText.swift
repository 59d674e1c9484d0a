import EntitlementDomain
import JSON

/// Writes a history as a scenario file, so that a failure can be played through the whole service.
struct ScenarioText {
    var history: History
    var name: String
    var about: String
    /// The instants whose expected answers go into the file.
    var instants: [Instant]

    /// The file's text.
    var text: String {
        let object: JSONObject = [
            "name": .string(name),
            "about": .string(about),
            "catalog": catalog,
            "policy": policy,
            "deliveries": .array(history.statements.enumerated().map { delivery($1, number: $0 + 1) } + links),
            // A line can be linked when it is known.
            "orders": history.links.isEmpty ? "all" : "listed",
            "repeat": true,
            "expect": .array(instants.flatMap(expectations)),
        ]
        return String(decoding: JSONValue.object(object).prettySerialized(), as: UTF8.self) + "\n"
    }

    private var policy: JSONValue {
        var object: JSONObject = [:]
        let policy = history.policy
        if policy.refundAccess != .immediate { object.append("refundAccess", .string(policy.refundAccess.rawValue)) }
        if !policy.renewalLeeway.isZero { object.append("renewalLeeway", .string(policy.renewalLeeway.iso8601)) }
        if policy.graceWithoutDate != .oneDay {
            object.append("graceWithoutDate", .string(policy.graceWithoutDate.iso8601))
        }
        if policy.negativeBalance != .allow {
            object.append("negativeBalance", .string(policy.negativeBalance.rawValue))
        }
        return .object(object)
    }

    private var links: [JSONValue] {
        history.links.enumerated().map { number, link in
            [
                "id": .string("link\(number + 1)"),
                "at": .string(history.statements.map(\.signedAt).max()?.iso8601 ?? HistoryGenerator.origin.iso8601),
                "rpc": [
                    "method": "accounts.transfer",
                    "params": [
                        "toAccount": .string(link.account.description),
                        "originalTransactionId": .string(link.line.originalTransactionID),
                    ],
                ],
            ]
        }
    }

    private func expectations(at instant: Instant) -> [JSONValue] {
        let oracle = Oracle(history)
        let expected = oracle.entries(at: instant)
        var all: [JSONValue] = History.catalog.entitlements.compactMap { entitlement in
            let entries = expected[entitlement] ?? []
            guard entries.count < 2 else { return nil }
            return [
                "at": .string(instant.iso8601),
                "account": .string(History.account.description),
                "entitlement": .string(entitlement),
                "is": entries.first.map(Self.entry) ?? ["active": false, "state": "none"],
            ]
        }
        let balances = oracle.balances(at: instant).sorted { $0.key < $1.key }
        if !balances.isEmpty {
            all.append([
                "at": .string(instant.iso8601),
                "account": .string(History.account.description),
                "balances": .object(
                    JSONObject(balances.map { JSONObject.Member(key: $0.key, value: JSONValue($0.value)) })
                ),
            ])
        }
        return all
    }

    private static func entry(_ entry: OracleEntry) -> JSONValue {
        var object: JSONObject = [
            "active": .bool(entry.isActive),
            "state": .string(entry.state.rawValue),
            "productId": .string(entry.productID),
        ]
        if entry.state != .revoked { object.append("expiresAt", entry.expiresAt.map { .string($0.iso8601) } ?? .null) }
        if let date = entry.gracePeriodExpiresAt { object.append("gracePeriodExpiresAt", .string(date.iso8601)) }
        if entry.isInLeeway { object.append("leeway", true) }
        if let date = entry.revokedAt { object.append("revokedAt", .string(date.iso8601)) }
        if entry.isActive {
            object.append("willRenew", entry.willRenew.map { .bool($0) } ?? .null)
            object.append("pendingProductId", entry.pendingProductID.map { .string($0) } ?? .null)
        }
        return .object(object)
    }
}
