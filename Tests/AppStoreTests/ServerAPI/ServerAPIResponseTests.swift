import AppStore
import EntitlementDomain
import JSON
import Simulator
import Testing

/// What is made of responses: verification, pages, faulty ones.
struct ServerAPIResponseTests {
    private let desk: SigningDesk

    init() throws {
        desk = try SigningDesk.shared.get()
    }

    private func signed(_ changes: [String: JSONValue?] = [:]) throws -> JSONValue {
        .string(try desk.chain.signer.sign(JSONValue.object(desk.transaction(changes)).serialized()))
    }

    private func page(_ transactions: [JSONValue], revision: String?, hasMore: Bool) -> ServerAPIReply {
        var object: JSONObject = ["hasMore": JSONValue(hasMore), "signedTransactions": .array(transactions)]
        object["revision"] = revision.map(JSONValue.string)
        return .json(.object(object))
    }

    @Test func aTransactionIsVerifiedAndReadyToAppend() async throws {
        let api = try APIDesk(ScriptedTransport(.json(["signedTransactionInfo": try signed()])))
        let statement = try await api.client.transactionInfo("1001")
        #expect(statement.source == .api)
        #expect(statement.line?.originalTransactionID == "1001")
    }

    @Test func aForgedTransactionIsRefused() async throws {
        let forged = try desk.foreignChain.signer.sign(JSONValue.object(desk.transaction()).serialized())
        let api = try APIDesk(ScriptedTransport(.json(["signedTransactionInfo": .string(forged)])))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            _ = try await api.client.transactionInfo("1001")
        }
        guard case .untrusted(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.reason == .invalidChain)
    }

    @Test func aTransactionOfAnotherEnvironmentIsRefused() async throws {
        let api = try APIDesk(
            ScriptedTransport(.json(["signedTransactionInfo": try signed(["environment": "Sandbox"])]))
        )
        let error = await serverAPIError { () async throws(ServerAPIError) in
            _ = try await api.client.transactionInfo("1001", in: .production)
        }
        guard case .untrusted(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.reason == .wrongEnvironment)
    }

    @Test func oneBadEntryOfAPageSpoilsNoOther() async throws {
        let api = try APIDesk(
            ScriptedTransport(page([try signed(), "x.y.z"], revision: "r", hasMore: false))
        )
        let answer = try await api.client.transactionHistory(of: "1001")
        #expect(answer.transactions.map { (try? $0.result.get()) != nil } == [true, false])
        #expect(answer.revision == "r")
    }

    @Test func pagesAreWalkedToTheirEnd() async throws {
        let api = try APIDesk(
            ScriptedTransport(
                page([try signed()], revision: "r1", hasMore: true),
                page([], revision: "r2", hasMore: true),
                page([try signed()], revision: "r3", hasMore: false)
            )
        )
        var pages = api.client.transactionHistoryPages(of: "1001", in: .production)
        var revisions: [String?] = []
        while let page = try await pages.next() { revisions.append(page.revision) }
        #expect(revisions == ["r1", "r2", "r3"])
        let queries = api.transport.calls.map { $0.url.split(separator: "?").dropFirst().first.map(String.init) }
        #expect(queries == [nil, "revision=r1", "revision=r2"])
        #expect(try await pages.next() == nil)
    }

    @Test func pagesThatComeRoundAreNoticed() async throws {
        let api = try APIDesk(
            ScriptedTransport(
                page([], revision: "r1", hasMore: true),
                page([], revision: "r2", hasMore: true),
                page([], revision: "r1", hasMore: true)
            )
        )
        let error = await serverAPIError { () async throws(ServerAPIError) in
            var pages = api.client.transactionHistoryPages(of: "1001", in: .production)
            while try await pages.next() != nil {}
        }
        #expect(error == .endlessPaging(pages: 3))
    }

    @Test func aPageThatRepeatsTheRevisionItWasAskedForIsNoticed() async throws {
        let api = try APIDesk(ScriptedTransport(page([], revision: "r1", hasMore: true)))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            var pages = api.client.refundHistoryPages(of: "1001", after: "r1", in: .production)
            while try await pages.next() != nil {}
        }
        #expect(error == .endlessPaging(pages: 1))
    }

    @Test func anotherPageNeedsAWayToIt() async throws {
        let api = try APIDesk(ScriptedTransport(page([], revision: nil, hasMore: true)))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            var pages = api.client.transactionHistoryPages(of: "1001", in: .production)
            while try await pages.next() != nil {}
        }
        guard case .malformedResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func statusesComeWithTransactionAndRenewalInfo() async throws {
        let renewal = try desk.chain.signer.sign(JSONValue.object(desk.renewalInfo()).serialized())
        let api = try APIDesk(
            ScriptedTransport(
                .json([
                    "environment": "Production", "bundleId": "com.example.app",
                    "data": [
                        [
                            "subscriptionGroupIdentifier": "group",
                            "lastTransactions": [
                                [
                                    "status": 4, "originalTransactionId": "1001",
                                    "signedTransactionInfo": try signed(), "signedRenewalInfo": .string(renewal),
                                ]
                            ],
                        ]
                    ],
                ])
            )
        )
        let statuses = try await api.client.subscriptionStatuses(of: "1001")
        let line = try #require(statuses.lines.first)
        #expect(line.status == .gracePeriod)
        #expect(line.subscriptionGroupID == "group")
        #expect(try line.statement.result.get().facts.renewal?.autoRenews == true)
    }

    @Test func notificationsKeepTheirIdentity() async throws {
        let text = try desk.chain.signer.sign(
            JSONValue.object(desk.envelope(["environment": "Production", "bundleId": "com.example.app"])).serialized()
        )
        let api = try APIDesk(
            ScriptedTransport(
                .json([
                    "hasMore": false,
                    "notificationHistory": [
                        [
                            "signedPayload": .string(text),
                            "sendAttempts": [
                                ["attemptDate": 1_772_323_300_000, "sendAttemptResult": "TIMED_OUT"],
                                ["attemptDate": 1_772_326_900_000, "sendAttemptResult": "SUCCESS"],
                            ],
                        ]
                    ],
                ])
            )
        )
        let query = NotificationHistoryQuery(startsAt: Instant(milliseconds: 0), endsAt: SigningDesk.now)
        let entry = try #require(try await api.client.notificationHistory(query, in: .production).entries.first)
        let statement = try entry.notification.result.get()
        #expect(statement.identity == NotificationID(SigningDesk.uuid).map { .notification($0) })
        #expect(statement.source == .api)
        #expect(entry.attempts.map(\.isSuccess) == [false, true])
    }

    @Test(arguments: ["", "[]", "{", "{\"other\":1}", "{\"signedTransactionInfo\":7}"])
    func aResponseOfAnotherFormIsAnError(body: String) async throws {
        let api = try APIDesk(ScriptedTransport(ServerAPIReply(status: 200, body: Array(body.utf8))))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            _ = try await api.client.transactionInfo("1001")
        }
        guard case .malformedResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
