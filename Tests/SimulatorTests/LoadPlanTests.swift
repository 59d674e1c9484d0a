import EntitlementDomain
import JSON
import Simulator
import Testing

@Suite struct LoadPlanTests {
    private let signer = SignedText.signing.appStore.signer

    private func plan(_ accounts: Int, seed: UInt64 = 7, periods: Int = 1) -> LoadPlan {
        var plan = LoadPlan(accounts: accounts, seed: seed)
        plan.periods = periods
        return plan
    }

    private func transaction(of request: LoadRequest) throws -> JSONValue {
        let body = try JSONParser.parse(request.body)
        let signed: JSONValue?
        switch request.kind {
        case .upload:
            signed = body["params"]?["signedTransaction"]
        case .notification:
            let envelope = try #require(body["signedPayload"]?.stringValue)
            signed = SignedText.genuinePayload(of: envelope)?["data"]?["signedTransactionInfo"]
        }
        let text = try #require(signed?.stringValue)
        return try #require(SignedText.genuinePayload(of: text))
    }

    @Test(arguments: LoadKind.allCases)
    func everyRequestIsGenuineAndSaysWhomItConcerns(kind: LoadKind) throws {
        for index in 0..<9 {
            let request = try plan(3, periods: 3).request(index, as: kind, signedBy: signer)
            let transaction = try transaction(of: request)
            #expect(request.account == plan(3).account(index % 3))
            #expect(transaction["appAccountToken"] == .string(request.account.description))
            #expect(transaction["transactionId"] == .string(request.transactionID))
            #expect(transaction["originalTransactionId"] == .string(request.originalTransactionID))
            #expect(transaction["expiresDate"] == JSONValue(request.expiresAt.milliseconds))
            #expect(transaction["transactionReason"] == (index < 3 ? "PURCHASE" : "RENEWAL"))
        }
    }

    @Test func theSecondPeriodFollowsTheFirst() throws {
        let plan = plan(1, periods: 2)
        let first = try plan.request(0, as: .upload, signedBy: signer)
        let second = try transaction(of: plan.request(1, as: .upload, signedBy: signer))
        #expect(second["purchaseDate"] == JSONValue(first.expiresAt.milliseconds))
        #expect(second["originalTransactionId"] == .string(first.transactionID))
    }

    @Test func accountsAndTransactionsAreAllDifferent() throws {
        let plan = plan(200, periods: 2)
        let requests = try (0..<plan.requestCount).map { try plan.request($0, as: .upload, signedBy: signer) }
        #expect(Set(requests.map(\.account)).count == 200)
        #expect(Set(requests.map(\.transactionID)).count == 400)
        #expect(Set(requests.map(\.originalTransactionID)).count == 200)
        #expect(Set((0..<200).map { self.plan(200, seed: 8).account($0) }).isDisjoint(with: requests.map(\.account)))
    }

    @Test func aPlanFollowsFromItsSeed() throws {
        let (one, two) = (plan(5), plan(5))
        for index in 0..<5 {
            let left = try one.request(index, as: .notification, signedBy: signer)
            let right = try two.request(index, as: .notification, signedBy: signer)
            #expect(try transaction(of: left) == transaction(of: right))
            #expect(left.transactionID == right.transactionID)
        }
        #expect(one.account(0) != plan(5, seed: 8).account(0))
    }

    @Test func manyRequestsComeInTheirOrderFromSeveralWorkers() async throws {
        for workers in [1, 2, 7] {
            let requests = try await plan(10, periods: 2).requests(
                3..<17,
                as: .upload,
                signedBy: signer,
                workers: workers
            )
            #expect(requests.map(\.index) == Array(3..<17))
        }
        #expect(try await plan(10).requests(4..<4, as: .upload, signedBy: signer).isEmpty)
    }

    @Test func aNotificationHasThreeSignaturesAndItsOwnUUID() throws {
        let bodies = try (0..<2).map {
            try JSONParser.parse(plan(2).request($0, as: .notification, signedBy: signer).body)
        }
        let payloads = try bodies.map { try #require(SignedText.genuinePayload(of: $0["signedPayload"]!.stringValue!)) }
        for payload in payloads {
            #expect(payload["notificationType"] == "SUBSCRIBED")
            #expect(payload["subtype"] == "INITIAL_BUY")
            let renewalInfo = try #require(payload["data"]?["signedRenewalInfo"]?.stringValue)
            #expect(SignedText.genuinePayload(of: renewalInfo)?["autoRenewStatus"] == 1)
        }
        #expect(payloads[0]["notificationUUID"] != payloads[1]["notificationUUID"])
    }
}
