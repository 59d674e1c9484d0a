import AppStore
import EntitlementDomain
import JSON
import Simulator
import Testing

/// Every endpoint against a fake App Store over loopback.
struct ServerAPIEndpointTests {
    private static let month: Int64 = 31 * 24

    @Test func transactionsAndTheirHistory() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            try await desk.store.advance(hours: 26 * Self.month)
            let truth = try #require(desk.store.lines().first)
            #expect(truth.transactionIDs.count > 20, "more than one page")
            let info = try await desk.client.transactionInfo(truth.currentTransactionID)
            #expect(info.facts.transaction?.expiresAt == truth.expiresAt)

            var pages = desk.client.transactionHistoryPages(of: id, in: .production)
            var found: [String] = []
            var revision: String?
            while let page = try await pages.next() {
                for part in page.transactions {
                    found.append(try part.result.get().facts.transaction?.transactionID ?? "")
                }
                revision = page.revision
            }
            #expect(found == truth.transactionIDs)

            // From the last revision on there is only what has changed since.
            try desk.store.refund(truth.transactionIDs[3])
            let later = try await desk.client.transactionHistory(of: id, after: revision)
            #expect(try later.transactions.map { try $0.result.get().facts.transaction?.revokedAt != nil } == [true])
            let refunds = try await desk.client.refundHistory(of: id)
            #expect(refunds.transactions.count == 1)
            var query = TransactionHistoryQuery()
            query.isRevoked = false
            query.sort = .descending
            let newest = try await desk.client.transactionHistory(of: id, query).transactions.first
            #expect(try newest?.result.get().facts.transaction?.transactionID == truth.currentTransactionID)
        }
    }

    @Test func statusesFollowTheLifeOfASubscription() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            func status() async throws -> Int? {
                let statuses = try await desk.client.subscriptionStatuses(of: id)
                let line = try #require(statuses.lines.first)
                _ = try line.statement.result.get()
                return line.status?.rawValue
            }
            #expect(try await status() == 1)
            try desk.store.setCard(declined: true, of: id)
            try await desk.store.advance(hours: Self.month)
            #expect(try await status() == 4)
            try await desk.store.advance(hours: 17 * 24)
            #expect(try await status() == 3)
            try desk.store.setCard(declined: false, of: id)
            #expect(try await status() == 1)
            try desk.store.setAutoRenew(false, of: id)
            try await desk.store.advance(hours: Self.month)
            #expect(try await status() == 2)
            try desk.store.resubscribe(id)
            let current = try #require(desk.store.lines().first?.currentTransactionID)
            try desk.store.refund(current)
            #expect(try await status() == 5)
            #expect(try await desk.client.subscriptionStatuses(of: id, statuses: [.active]).lines.isEmpty)
        }
    }

    @Test func aSandboxTransactionIsFoundWithoutAHint() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription(in: .sandbox)
            #expect(try await desk.client.transactionInfo(id).environment == .sandbox)
            #expect(try await desk.client.transactionHistory(of: id).environment == .sandbox)
            try await desk.client.finishTransaction(id)
            #expect(desk.store.isFinished(id, in: .sandbox))
        }
    }

    @Test func ordersAppTransactionsAndTokens() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            let order = try await desk.client.lookUpOrder("M" + id)
            #expect(order.isValid)
            #expect(order.transactions.count == 1)
            #expect(try await desk.client.lookUpOrder("M0").isValid == false)

            let app = try await desk.client.appTransactionInfo(of: id).content
            let download = try #require(app.appTransactionID)
            #expect(try await desk.client.transactionHistory(of: download).transactions.count == 1)
            let error = await serverAPIError { () async throws(ServerAPIError) in
                _ = try await desk.client.transactionInfo(download)
            }
            #expect(error?.code == .appTransactionIDNotSupported)

            let account = AccountID(high: 7, low: 7)
            try await desk.client.setAppAccountToken(account, of: id)
            #expect(try await desk.client.transactionInfo(id).facts.transaction?.appAccountToken == account)
        }
    }

    @Test func extensions() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            let before = try #require(desk.store.lines().first?.expiresAt)
            let wish = RenewalExtension(days: 10, reason: .serviceIssue, requestIdentifier: "r-1")
            let result = try await desk.client.extendRenewalDate(of: id, wish)
            #expect(result.isSuccess)
            #expect(result.effectiveAt == before.advanced(byMilliseconds: 10 * 86_400_000))
            let request = try await desk.client.extendRenewalDates(ofProduct: "pro.monthly", wish, in: .production)
            let status = try await desk.client.massExtensionStatus(
                ofProduct: "pro.monthly",
                requestIdentifier: request,
                in: .production
            )
            #expect(status.isComplete)
            #expect(status.succeededCount == 1)
            let third = await serverAPIError { () async throws(ServerAPIError) in
                _ = try await desk.client.extendRenewalDate(of: id, wish)
            }
            #expect(third?.code == .subscriptionMaximumExtensions)
        }
    }

    @Test func consumptionInformation() async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.store.buy(FakeProduct("coins", .consumable), account: nil)
            let information = ConsumptionInformation(
                customerConsented: true,
                deliveryStatus: .delivered,
                sampleContentProvided: false,
                refundPreference: .decline
            )
            try await desk.client.sendConsumption(information, of: id)
            #expect(desk.store.consumption(of: id)?["refundPreference"] == "DECLINE")
            try await desk.client.sendConsumption(ConsumptionInformationV1(customerConsented: true), of: id)
            #expect(desk.store.consumption(of: id)?["appAccountToken"] == "")
        }
    }

    @Test func notificationsAndTheirHistory() async throws {
        try await FakeStoreDesk.run { desk in
            // Nobody listens there.
            desk.store.setNotificationURL("http://127.0.0.1:1/", in: .production)
            let id = try desk.subscription()
            try await desk.store.deliverDue()
            try desk.store.setAutoRenew(false, of: id)
            let query = NotificationHistoryQuery(
                startsAt: desk.store.now.advanced(byMilliseconds: -86_400_000),
                endsAt: desk.store.now.advanced(byMilliseconds: 1),
                onlyFailures: true
            )
            let failures = try await desk.client.notificationHistory(query, in: .production)
            #expect(failures.entries.map(\.attempts.count) == [1], "what was not tried yet is no failure")
            #expect(try failures.entries[0].notification.result.get().notificationType == "SUBSCRIBED")
            let token = try await desk.client.requestTestNotification(in: .production)
            try await desk.store.deliverDue()
            let status = try await desk.client.testNotificationStatus(token, in: .production)
            #expect(status.attempts.map(\.isSuccess) == [false])
            #expect(try status.notification.result.get().notificationType == "TEST")
        }
    }

    // MARK: What the store refuses by itself

    struct Refusal: Sendable, CustomTestStringConvertible {
        var code: ServerAPIErrorCode
        var call: @Sendable (ServerAPIClient, String) async throws(ServerAPIError) -> Void
        var testDescription: String { "\(code)" }
    }

    private static func notifications(
        from start: Int64,
        to end: Int64,
        by client: ServerAPIClient,
        filter: NotificationHistoryQuery.Filter? = nil,
        token: String? = nil
    ) async throws(ServerAPIError) {
        let now = SigningDesk.now
        let query = NotificationHistoryQuery(
            startsAt: now.advanced(byMilliseconds: start * 86_400_000),
            endsAt: now.advanced(byMilliseconds: end * 86_400_000),
            filter: filter
        )
        _ = try await client.notificationHistory(query, after: token, in: .production)
    }

    static let refusals: [Refusal] = [
        Refusal(code: .invalidTransactionID) { client, _ async throws(ServerAPIError) in
            _ = try await client.transactionInfo("x", in: .production)
        },
        Refusal(code: .transactionIDNotFound) { client, _ async throws(ServerAPIError) in
            _ = try await client.transactionInfo("1", in: .production)
        },
        Refusal(code: .invalidRequestRevision) { client, id async throws(ServerAPIError) in
            _ = try await client.transactionHistory(of: id, after: "nonsense")
        },
        Refusal(code: .startDateAfterEndDate) { client, id async throws(ServerAPIError) in
            var query = TransactionHistoryQuery()
            query.startsAt = Instant(milliseconds: 2)
            query.endsAt = Instant(milliseconds: 1)
            _ = try await client.transactionHistory(of: id, query)
        },
        Refusal(code: .invalidProductType) { client, id async throws(ServerAPIError) in
            var query = TransactionHistoryQuery()
            query.productTypes = ["CAR"]
            _ = try await client.transactionHistory(of: id, query)
        },
        Refusal(code: .invalidStatus) { client, id async throws(ServerAPIError) in
            _ = try await client.subscriptionStatuses(of: id, statuses: [SubscriptionStatus(rawValue: 9)])
        },
        Refusal(code: .startDateTooFarInPast) { client, _ async throws(ServerAPIError) in
            try await notifications(from: -181, to: 0, by: client)
        },
        Refusal(code: .startDateAfterEndDate) { client, _ async throws(ServerAPIError) in
            try await notifications(from: 0, to: 0, by: client)
        },
        Refusal(code: .invalidPaginationToken) { client, _ async throws(ServerAPIError) in
            try await notifications(from: -1, to: 0, by: client, token: "nonsense")
        },
        Refusal(code: .paginationTokenExpired) { client, _ async throws(ServerAPIError) in
            try await notifications(from: -1, to: 0, by: client, token: "0_0")
        },
        Refusal(code: .transactionIDNotFound) { client, _ async throws(ServerAPIError) in
            try await notifications(from: -1, to: 0, by: client, filter: .transaction("1"))
        },
        Refusal(code: .serverNotificationURLNotFound) { client, _ async throws(ServerAPIError) in
            _ = try await client.requestTestNotification(in: .production)
        },
        Refusal(code: .invalidTestNotificationToken) { client, _ async throws(ServerAPIError) in
            _ = try await client.testNotificationStatus("nonsense", in: .production)
        },
        Refusal(code: .testNotificationNotFound) { client, _ async throws(ServerAPIError) in
            _ = try await client.testNotificationStatus("uuid_1", in: .production)
        },
        Refusal(code: .invalidExtendByDays) { client, id async throws(ServerAPIError) in
            let wish = RenewalExtension(days: 91, reason: .other, requestIdentifier: "r")
            _ = try await client.extendRenewalDate(of: id, wish)
        },
        Refusal(code: .invalidRequestIdentifier) { client, id async throws(ServerAPIError) in
            let wish = RenewalExtension(days: 1, reason: .other, requestIdentifier: "")
            _ = try await client.extendRenewalDate(of: id, wish)
        },
        Refusal(code: .invalidEmptyStorefrontCountryCodeList) { client, _ async throws(ServerAPIError) in
            let wish = RenewalExtension(days: 1, reason: .other, requestIdentifier: "r")
            _ = try await client.extendRenewalDates(ofProduct: "p", wish, storefronts: [], in: .production)
        },
        Refusal(code: .invalidStorefrontCountryCode) { client, _ async throws(ServerAPIError) in
            let wish = RenewalExtension(days: 1, reason: .other, requestIdentifier: "r")
            _ = try await client.extendRenewalDates(ofProduct: "p", wish, storefronts: ["us"], in: .production)
        },
        Refusal(code: .statusRequestNotFound) { client, _ async throws(ServerAPIError) in
            _ = try await client.massExtensionStatus(ofProduct: "p", requestIdentifier: "r", in: .production)
        },
        Refusal(code: .invalidConsumptionStatus) { client, id async throws(ServerAPIError) in
            var information = ConsumptionInformationV1(customerConsented: true)
            information.consumptionStatus = 9
            try await client.sendConsumption(information, of: id)
        },
        Refusal(code: .invalidTransactionNotConsumable) { client, id async throws(ServerAPIError) in
            try await client.sendConsumption(ConsumptionInformationV1(customerConsented: true), of: id)
        },
        Refusal(code: .invalidDeliveryStatus) { client, id async throws(ServerAPIError) in
            let information = ConsumptionInformation(
                customerConsented: true,
                deliveryStatus: .init(rawValue: "LOST"),
                sampleContentProvided: true
            )
            try await client.sendConsumption(information, of: id)
        },
    ]

    @Test(arguments: refusals)
    func whatTheDocumentationForbidsIsRefused(refusal: Refusal) async throws {
        try await FakeStoreDesk.run { desk in
            let id = try desk.subscription()
            let error = await serverAPIError { () async throws(ServerAPIError) in
                try await refusal.call(desk.client, id)
            }
            #expect(error?.code == refusal.code, "\(String(describing: error))")
        }
    }
}
