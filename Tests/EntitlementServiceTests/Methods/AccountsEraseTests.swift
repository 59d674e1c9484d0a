import JSON
import Postgres
import PostgresTesting
import Testing

/// What an erasure leaves: the facts of purchases, and nothing that leads to the person.
@Suite struct AccountsEraseTests {
    private static let account = JSONValue.string(Samples.account)

    @Test func theLinkGoesAndTheFactsStay() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1001", ["appAccountToken": Self.account]))
        try await service.submit(Samples.coins("2001"))
        try await service.call("grants.issue", Self.grant("before"))
        #expect(try await service.isActive(["account": Self.account]) == true)
        let erased = try await service.call("accounts.erase", ["account": Self.account, "reason": "Asked for."])
        #expect(erased["erased"] == [["environment": "Production", "lines": 2]])
        #expect(erased["repetition"] == false)
        // The account is one that nobody knows.
        let questions: [[String: JSONValue?]] = [[:], ["knownAt": "1:4"], ["at": "2026-03-02T00:00:00Z"]]
        for question in questions {
            let params = Samples.merge(["account": Self.account], question)
            let answer = try await service.call("entitlements.get", .object(params))
            #expect(answer["entitlements"] == [] && answer["balances"] == [:])
        }
        #expect(try await service.call("purchases.list", ["account": Self.account])["lines"] == [])
        #expect(try await service.call("events.list", ["account": Self.account])["events"] == [])
        // The line says what happened to it, and gives nothing.
        let line: JSONValue = ["originalTransactionId": "1001"]
        #expect(try await service.isActive(line) == false)
        let explained = try await service.call("entitlements.explain", line)
        #expect(explained["entitlements"]?[0]?["rule"]?["code"] == "accountErased", "\(explained)")
        let listed = try await service.call("purchases.list", line)
        #expect(listed["lines"]?[0]?["purchases"]?[0]?["transactionId"] == "1001")
        #expect(try await service.call("balances.get", ["originalTransactionId": "2001"])["balances"] == [:])
        let types = try await service.call("events.list", line)["events"]?.arrayValue?.compactMap { $0["type"] }
        #expect(types == ["Purchased", "AccountLinked", "AccountErased"] || types == ["Purchased", "AccountErased"])
        // By what was known before, it gave access.
        #expect(try await service.isActive(["originalTransactionId": "1001", "knownAt": "1:3"]) == true)
        try await service.expectNoTrace(of: Samples.account)
        let replay = try await service.call("audit.replay", [:])
        #expect(replay["equal"] == true, "\(replay)")
        let chain = try await service.call("audit.verify", [:])
        #expect(chain["holds"] == true, "\(chain)")
        #expect(chain["erased"].flatMap { Int64($0.description) } ?? 0 > 0, "\(chain)")
        try await service.close()
    }

    @Test func whatComesLaterIsKeptAndGivesNoAccess() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1001", ["appAccountToken": Self.account]))
        try await service.call("accounts.erase", ["account": Self.account])
        // A renewal, and the first purchase of another line, both with the account's token.
        let renewal = Samples.transaction(
            "1002",
            [
                "originalTransactionId": "1001", "appAccountToken": .string(Samples.account.uppercased()),
                "purchaseDate": Samples.milliseconds("2026-04-01T00:00:00Z"),
                "expiresDate": Samples.milliseconds("2026-05-01T00:00:00Z"),
            ]
        )
        let other = Samples.transaction("3001", ["appAccountToken": Self.account])
        for transaction in [renewal, other] {
            let answer = try await service.submit(
                transaction,
                renewalInfo: Samples.renewalInfo(
                    transaction["originalTransactionId"]?.stringValue ?? "",
                    ["appAccountToken": Self.account]
                ),
                account: nil
            )
            #expect(answer["entitlements"]?.arrayValue?.allSatisfy { $0["active"] == false } == true, "\(answer)")
        }
        #expect(try await service.count("SELECT count(*) FROM entitled.events WHERE line_id IS NOT NULL") == 4)
        #expect(try await service.isActive(["originalTransactionId": "3001"]) == false)
        #expect(try await service.isActive(["account": Self.account]) == false)
        try await service.expectNoTrace(of: Samples.account)
        // Nobody can have the line by claiming it; a transfer by decree brings access back.
        let other2 = JSONValue.string(Samples.otherAccount)
        await #expect(throws: CallFailure.self) { try await service.submit(other, account: Samples.otherAccount) }
        await #expect(throws: CallFailure.self) {
            try await service.call("accounts.link", ["account": other2, "originalTransactionId": "3001"])
        }
        try await service.call("accounts.transfer", ["toAccount": other2, "originalTransactionId": "3001"])
        #expect(try await service.isActive(["account": other2]) == true)
        #expect(try await service.isActive(["originalTransactionId": "3001"]) == true)
        #expect(try await service.call("audit.replay", [:])["equal"] == true)
        try await service.close()
    }

    @Test func theNewestClaimTakesAnErasedLineWhereThePolicySaysSo() async throws {
        let service = try await TestService.make(policy: ["ownership": "transferToNewest"])
        let transaction = Samples.transaction("1001", ["appAccountToken": Self.account])
        try await service.submit(transaction)
        try await service.call("accounts.erase", ["account": Self.account])
        try await service.submit(transaction, account: Samples.otherAccount)
        #expect(try await service.isActive(["account": .string(Samples.otherAccount)]) == true)
        try await service.close()
    }

    @Test func anErasedAccountIsRefusedByName() async throws {
        let service = try await TestService.make()
        try await service.submit(Samples.transaction("1001"))
        try await service.call("accounts.erase", ["account": Self.account, "idempotencyKey": Self.account])
        let calls: [(String, JSONObject)] = [
            ("grants.issue", Self.grant("after").objectValue ?? [:]),
            ("holds.place", ["account": Self.account, "owner": "o", "reason": "r"]),
            ("balances.spend", ["account": Self.account, "currency": "coins", "amount": 1, "idempotencyKey": "k"]),
            ("accounts.link", ["account": Self.account, "originalTransactionId": "1001"]),
            ("accounts.transfer", ["toAccount": Self.account, "originalTransactionId": "1001"]),
            ("accounts.transfer", ["toAccount": .string(Samples.otherAccount), "account": Self.account]),
            (
                "transactions.submit",
                [
                    "account": Self.account,
                    "signedTransaction": .string(try Samples.sign(Samples.transaction("1009"))),
                ]
            ),
        ]
        let before = try await service.count("SELECT position FROM entitled.log_head")
        for (method, params) in calls {
            let failure = await #expect(throws: CallFailure.self, "\(method)") {
                try await service.call(method, .object(params))
            }
            #expect(failure?.reason == "notFound" && failure?.data["accountErased"] == true, "\(method)")
        }
        #expect(try await service.count("SELECT position FROM entitled.log_head") == before)
        // Once more is no error, whatever the key; an account that nobody knows is one.
        for key in ["k1", "k2"] {
            let again = try await service.call(
                "accounts.erase",
                ["account": Self.account, "idempotencyKey": .string(key)]
            )
            #expect(again["repetition"] == true && again["erased"] == [])
        }
        let failure = await #expect(throws: CallFailure.self) {
            try await service.call("accounts.erase", ["account": .string(Samples.otherAccount)])
        }
        #expect(failure?.reason == "notFound")
        try await service.expectNoTrace(of: Samples.account)
        try await service.close()
    }

    @Test func oneEnvironmentMayBeErasedAlone() async throws {
        let service = try await TestService.make()
        let sandbox: [String: JSONValue?] = ["environment": "Sandbox", "appAccountToken": Self.account]
        try await service.submit(Samples.transaction("1001"))
        try await service.submit(Samples.transaction("1001", sandbox))
        let erased = try await service.call("accounts.erase", ["account": Self.account, "environment": "Sandbox"])
        #expect(erased["erased"] == [["environment": "Sandbox", "lines": 1]])
        #expect(try await service.isActive(["account": Self.account]) == true)
        #expect(try await service.isActive(["account": Self.account, "environment": "Sandbox"]) == false)
        let rest = try await service.call("accounts.erase", ["account": Self.account])
        #expect(rest["erased"] == [["environment": "Production", "lines": 1]])
        #expect(try await service.isActive(["account": Self.account]) == false)
        // Also where it was not known before.
        let xcode = await #expect(throws: CallFailure.self) {
            try await service.call(
                "grants.issue",
                .object(Samples.merge(Self.grant("x").objectValue ?? [:], ["environment": "Xcode"]))
            )
        }
        #expect(xcode?.data["accountErased"] == true)
        try await service.close()
    }

    private static func grant(_ key: String) -> JSONValue {
        [
            "account": account, "entitlement": "pro", "reason": .string("for \(Samples.account.uppercased())"),
            "idempotencyKey": .string(key),
        ]
    }
}

extension TestService {
    /// Whether a key has "pro".
    fileprivate func isActive(_ key: JSONValue) async throws -> Bool? {
        let params = Samples.merge(key.objectValue ?? [:], ["entitlement": "pro"])
        return try await call("entitlements.check", .object(params))["active"]?.boolValue
    }

    /// Looks through every table, and through what base64 in it stands for, for an account.
    fileprivate func expectNoTrace(of account: String) async throws {
        let owner = PostgresThread(database.ownerConfiguration)
        let found = try await owner.run { try DatabaseDump($0).tables(naming: account) }
        await owner.close()
        #expect(found == [])
    }
}
