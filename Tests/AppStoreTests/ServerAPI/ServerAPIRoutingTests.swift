import AppStore
import EntitlementDomain
import JSON
import Testing

/// Where calls go: hosts, paths, queries, bodies.
struct ServerAPIRoutingTests {
    private static let refused = ServerAPIReply.error(4_000_000)

    struct Endpoint: Sendable, CustomTestStringConvertible {
        var target: String
        var body: String?
        var call: @Sendable (ServerAPIClient) async throws(ServerAPIError) -> Void
        var testDescription: String { target }
    }

    static let endpoints: [Endpoint] = [
        Endpoint(target: "GET /inApps/v1/transactions/7") { client async throws(ServerAPIError) in
            _ = try await client.transactionInfo("7")
        },
        Endpoint(
            target: "GET /inApps/v2/history/7?startDate=5&productId=a&productId=b%26c&sort=DESCENDING"
                + "&inAppOwnershipType=FAMILY_SHARED&revoked=false&revision=r%2B1"
        ) { client async throws(ServerAPIError) in
            var query = TransactionHistoryQuery()
            query.startsAt = Instant(milliseconds: 5)
            query.productIDs = ["a", "b&c"]
            query.sort = .descending
            query.ownership = .familyShared
            query.isRevoked = false
            _ = try await client.transactionHistory(of: "7", query, after: "r+1")
        },
        Endpoint(target: "GET /inApps/v1/subscriptions/7?status=1&status=4") { client async throws(ServerAPIError) in
            _ = try await client.subscriptionStatuses(of: "7", statuses: [.active, .gracePeriod])
        },
        Endpoint(target: "GET /inApps/v2/refund/lookup/7?revision=r") { client async throws(ServerAPIError) in
            _ = try await client.refundHistory(of: "7", after: "r")
        },
        Endpoint(target: "GET /inApps/v1/lookup/MK1%2F2") { client async throws(ServerAPIError) in
            _ = try await client.lookUpOrder("MK1/2")
        },
        Endpoint(
            target: "POST /inApps/v1/notifications/history?paginationToken=t",
            body:
                #"{"startDate":1,"endDate":2,"notificationType":"DID_RENEW","notificationSubtype":"BILLING_RECOVERY","#
                + #""onlyFailures":true}"#
        ) { client async throws(ServerAPIError) in
            let query = NotificationHistoryQuery(
                startsAt: Instant(milliseconds: 1),
                endsAt: Instant(milliseconds: 2),
                filter: .type(.didRenew, .billingRecovery),
                onlyFailures: true
            )
            _ = try await client.notificationHistory(query, after: "t", in: .production)
        },
        Endpoint(
            target: "POST /inApps/v1/notifications/history",
            body: #"{"startDate":1,"endDate":2,"transactionId":"7"}"#
        ) { client async throws(ServerAPIError) in
            let query = NotificationHistoryQuery(
                startsAt: Instant(milliseconds: 1),
                endsAt: Instant(milliseconds: 2),
                filter: .transaction("7")
            )
            _ = try await client.notificationHistory(query, in: .production)
        },
        Endpoint(target: "POST /inApps/v1/notifications/test") { client async throws(ServerAPIError) in
            _ = try await client.requestTestNotification(in: .production)
        },
        Endpoint(target: "GET /inApps/v1/notifications/test/t_1") { client async throws(ServerAPIError) in
            _ = try await client.testNotificationStatus("t_1", in: .production)
        },
        Endpoint(
            target: "PUT /inApps/v1/subscriptions/extend/7",
            body: #"{"extendByDays":3,"extendReasonCode":1,"requestIdentifier":"r"}"#
        ) { client async throws(ServerAPIError) in
            let wish = RenewalExtension(days: 3, reason: .customerSatisfaction, requestIdentifier: "r")
            _ = try await client.extendRenewalDate(of: "7", wish)
        },
        Endpoint(
            target: "POST /inApps/v1/subscriptions/extend/mass",
            body: #"{"extendByDays":3,"extendReasonCode":0,"requestIdentifier":"r","productId":"pro","#
                + #""storefrontCountryCodes":["USA","CHE"]}"#
        ) { client async throws(ServerAPIError) in
            let wish = RenewalExtension(days: 3, reason: .undeclared, requestIdentifier: "r")
            _ = try await client.extendRenewalDates(
                ofProduct: "pro",
                wish,
                storefronts: ["USA", "CHE"],
                in: .production
            )
        },
        Endpoint(target: "GET /inApps/v1/subscriptions/extend/mass/pro/r") { client async throws(ServerAPIError) in
            _ = try await client.massExtensionStatus(ofProduct: "pro", requestIdentifier: "r", in: .production)
        },
        Endpoint(
            target: "PUT /inApps/v2/transactions/consumption/7",
            body: #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false,"#
                + #""consumptionPercentage":50000,"refundPreference":"DECLINE"}"#
        ) { client async throws(ServerAPIError) in
            let information = ConsumptionInformation(
                customerConsented: true,
                deliveryStatus: .delivered,
                sampleContentProvided: false,
                consumptionPercentage: 50_000,
                refundPreference: .decline
            )
            try await client.sendConsumption(information, of: "7")
        },
        Endpoint(
            target: "PUT /inApps/v1/transactions/consumption/7",
            body: #"{"customerConsented":true,"consumptionStatus":2,"platform":0,"sampleContentProvided":false,"#
                + #""deliveryStatus":0,"appAccountToken":"","accountTenure":0,"playTime":0,"#
                + #""lifetimeDollarsRefunded":0,"lifetimeDollarsPurchased":0,"userStatus":0,"refundPreference":0}"#
        ) { client async throws(ServerAPIError) in
            var information = ConsumptionInformationV1(customerConsented: true)
            information.consumptionStatus = 2
            try await client.sendConsumption(information, of: "7")
        },
        Endpoint(
            target: "PUT /inApps/v1/transactions/7/appAccountToken",
            body: #"{"appAccountToken":"11111111-1111-4111-8111-111111111111"}"#
        ) { client async throws(ServerAPIError) in
            guard let account = AccountID("11111111-1111-4111-8111-111111111111") else { return }
            try await client.setAppAccountToken(account, of: "7")
        },
        Endpoint(target: "GET /inApps/v1/transactions/appTransactions/7") { client async throws(ServerAPIError) in
            _ = try await client.appTransactionInfo(of: "7")
        },
        Endpoint(target: "POST /inApps/v1/transactions/7/finish") { client async throws(ServerAPIError) in
            try await client.finishTransaction("7")
        },
    ]

    @Test(arguments: endpoints)
    func everyEndpointHasItsMethodPathAndBody(endpoint: Endpoint) async throws {
        let desk = try APIDesk(ScriptedTransport(Self.refused))
        let error = await serverAPIError { () async throws(ServerAPIError) in try await endpoint.call(desk.client) }
        #expect(error?.code == .generalBadRequest)
        let call = try #require(desk.transport.calls.first)
        #expect("\(call.method) \(call.url.replacing("http://production.test", with: ""))" == endpoint.target)
        #expect(call.body.map { String(decoding: $0, as: UTF8.self) } == endpoint.body)
        #expect(call.headers["Content-Type"] == (endpoint.body == nil ? nil : "application/json"))
        #expect(call.headers["Authorization"]?.hasPrefix("Bearer ey") == true)
    }

    @Test(arguments: ["", ".", ".."])
    func anIDThatLeadsElsewhereIsRefused(id: String) async throws {
        let desk = try APIDesk(ScriptedTransport(Self.refused))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            _ = try await desk.client.transactionInfo(id)
        }
        guard case .invalidArgument = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(desk.transport.calls.isEmpty)
    }

    // MARK: Environments

    @Test(arguments: ServerAPIErrorCode.allCases)
    func theSandboxIsAskedOnTheRightCodesAlone(code: ServerAPIErrorCode) async throws {
        let desk = try APIDesk(ScriptedTransport(.error(code.rawValue), Self.refused))
        _ = await serverAPIError { () async throws(ServerAPIError) in _ = try await desk.client.transactionInfo("7") }
        switch code {
        case .transactionIDNotFound, .originalTransactionIDNotFound:
            #expect(desk.hosts == ["production.test", "sandbox.test"])
        default: #expect(Set(desk.hosts) == ["production.test"])
        }
    }

    @Test func whatNeitherKnowsIsUnknown() async throws {
        let desk = try APIDesk(ScriptedTransport(.error(4_040_010)))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            _ = try await desk.client.transactionInfo("7")
        }
        #expect(error?.code == .transactionIDNotFound)
        #expect(desk.hosts == ["production.test", "sandbox.test"])
    }

    @Test func anEnvironmentThatIsNamedIsAskedAlone() async throws {
        let desk = try APIDesk(ScriptedTransport(.error(4_040_010)))
        _ = await serverAPIError { () async throws(ServerAPIError) in
            _ = try await desk.client.transactionInfo("7", in: .production)
        }
        #expect(desk.hosts == ["production.test"])
    }

    @Test func anEnvironmentThatIsNotAcceptedIsNotAsked() async throws {
        let desk = try APIDesk(ScriptedTransport(.error(4_040_010)), environments: [.production])
        _ = await serverAPIError { () async throws(ServerAPIError) in _ = try await desk.client.transactionInfo("7") }
        #expect(desk.hosts == ["production.test"])
    }

    @Test func xcodeHasNoAPI() async throws {
        let desk = try APIDesk(ScriptedTransport(Self.refused))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            _ = try await desk.client.transactionInfo("7", in: .xcode)
        }
        #expect(error?.isTemporary == false)
        #expect(desk.transport.calls.isEmpty)
    }

    @Test func theOldConsumptionEndpointSaysNotFoundWithoutACode() async throws {
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: 404), ServerAPIReply(status: 202)))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            try await desk.client.sendConsumption(ConsumptionInformationV1(customerConsented: true), of: "7")
        }
        #expect(error == nil)
        #expect(desk.hosts == ["production.test", "sandbox.test"])
    }

    @Test func withoutConsentNothingIsSent() async throws {
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: 202)))
        let error = await serverAPIError { () async throws(ServerAPIError) in
            try await desk.client.sendConsumption(ConsumptionInformationV1(customerConsented: false), of: "7")
        }
        #expect(error != nil)
        #expect(desk.transport.calls.isEmpty)
    }
}
