import EntitlementDomain
import JSON
import TestKit

/// Calls that change the log, drawn at random: purchases, refunds, commands of every kind, and catalogs. Some of them are
/// refused, as in life.
struct RandomCalls {
    let accounts: [String]
    let lines: [String]
    private var number = 0
    private var grants: [(account: String, id: String)] = []
    private var holds: [(subject: JSONObject, id: String)] = []

    init(accounts: [String], lines: [String]) {
        self.accounts = accounts
        self.lines = lines
    }

    /// Makes one call under a clock at `now`.
    mutating func takeStep(_ service: TestService, now: Instant, _ random: inout SeededGenerator) async {
        number += 1
        let account = accounts.randomElement(using: &random) ?? ""
        let line = lines.randomElement(using: &random) ?? ""
        let subject: JSONObject =
            Bool.random(using: &random) ? ["account": .string(account)] : ["originalTransactionId": .string(line)]
        switch Int.random(in: 0...11, using: &random) {
        case 0...4:
            _ = try? await service.submit(
                transaction(line, now: now, &random),
                renewalInfo: Bool.random(using: &random) ? renewal(line, now: now, &random) : nil,
                account: Bool.random(using: &random) ? account : nil
            )
        case 5:
            let result = try? await service.call(
                "grants.issue",
                [
                    "account": .string(account),
                    "entitlement": .string(["pro", "max"].randomElement(using: &random) ?? ""),
                    "expiresAt": .string(later(now, by: 1...40, &random)), "reason": "a gift",
                    "idempotencyKey": .string("grant-\(number)"),
                ]
            )
            if let id = result?["grantId"]?.stringValue { grants.append((account, id)) }
        case 6:
            guard let grant = grants.randomElement(using: &random) else { return }
            _ = try? await service.call(
                "grants.revoke",
                ["account": .string(grant.account), "grantId": .string(grant.id)]
            )
        case 7:
            var params = Samples.merge(subject, ["owner": "fraud team", "reason": .string("case \(number)")])
            if Bool.random(using: &random) { params.set("entitlement", "pro") }
            let result = try? await service.call("holds.place", .object(params))
            if let id = result?["holdId"]?.stringValue { holds.append((subject, id)) }
        case 8:
            guard let hold = holds.randomElement(using: &random) else { return }
            _ = try? await service.call(
                "holds.lift",
                .object(Samples.merge(hold.subject, ["holdId": .string(hold.id)]))
            )
        case 9:
            _ = try? await service.call(
                "accounts.transfer",
                ["originalTransactionId": .string(line), "toAccount": .string(account)]
            )
        case 10:
            _ = try? await service.call(
                "balances.spend",
                [
                    "account": .string(account), "currency": "coins", "amount": 7,
                    "idempotencyKey": .string("spend-\(number)"),
                ]
            )
        default:
            var catalog = Samples.catalog.objectValue ?? [:]
            var products = catalog["products"]?.arrayValue ?? []
            if Bool.random(using: &random) { products.remove(at: Int.random(in: products.indices, using: &random)) }
            catalog.set("products", .array(products))
            _ = try? await service.call("catalog.put", ["catalog": .object(catalog)])
        }
    }

    /// A line always has the same kind of product.
    private func transaction(_ line: String, now: Instant, _ random: inout SeededGenerator) -> JSONObject {
        let period = Int.random(in: 0...2, using: &random)
        let token = accounts.randomElement(using: &random) ?? ""
        var changes: [String: JSONValue?] = [
            "originalTransactionId": .string(line),
            "purchaseDate": Samples.milliseconds("2026-0\(3 + period)-01T00:00:00Z"),
            "signedDate": JSONValue(now.milliseconds),
        ]
        if Bool.random(using: &random) { changes["appAccountToken"] = .string(token) }
        if Int.random(in: 0...3, using: &random) == 0 {
            changes["revocationDate"] = JSONValue(now.milliseconds)
            changes["revocationReason"] = 0
        }
        switch line {
        case "1003":
            changes.merge(["productId": "pro.lifetime", "type": "Non-Consumable", "expiresDate": .some(nil)]) { $1 }
            return Samples.transaction(line, changes)
        case "1004": return Samples.coins(line, changes)
        default:
            changes["productId"] = .string(["pro.monthly", "max.monthly"].randomElement(using: &random) ?? "")
            changes["expiresDate"] = Samples.milliseconds("2026-0\(4 + period)-01T00:00:00Z")
            return Samples.transaction("\(line)\(period)", changes)
        }
    }

    private func renewal(_ line: String, now: Instant, _ random: inout SeededGenerator) -> JSONObject {
        Samples.renewalInfo(
            line,
            [
                "autoRenewStatus": Bool.random(using: &random) ? 1 : 0, "signedDate": JSONValue(now.milliseconds),
                "gracePeriodExpiresDate": Bool.random(using: &random)
                    ? Samples.milliseconds("2026-04-10T00:00:00Z") : .some(nil),
            ]
        )
    }

    private func later(_ now: Instant, by days: ClosedRange<Int64>, _ random: inout SeededGenerator) -> String {
        Instant(milliseconds: now.milliseconds + Int64.random(in: days, using: &random) * 86_400_000).iso8601
    }
}
