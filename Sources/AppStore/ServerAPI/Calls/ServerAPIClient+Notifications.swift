package import EntitlementDomain

extension ServerAPIClient {
    /// One page of the notifications that the App Store has sent (App Store Server API, Get Notification History).
    ///
    /// - Parameter token: the pagination token of the page before; it does not live long.
    package func notificationHistory(
        _ query: NotificationHistoryQuery,
        after token: String? = nil,
        in environment: StoreEnvironment
    ) async throws(ServerAPIError) -> NotificationsPage {
        var request = ServerAPIRequest(.post, "inApps", "v1", "notifications", "history")
        if let token { request.query = [("paginationToken", token)] }
        request.body = query.body
        return try await call(request, in: environment, decode: NotificationsPage.init)
    }

    /// All pages of the notifications that the App Store has sent.
    package func notificationHistoryPages(
        _ query: NotificationHistoryQuery,
        in environment: StoreEnvironment
    ) -> ServerAPIPages<NotificationsPage> {
        ServerAPIPages(from: nil) { token async throws(ServerAPIError) in
            try await notificationHistory(query, after: token, in: environment)
        }
    }

    /// Has the App Store send a notification of type TEST (App Store Server API, Request a Test Notification).
    ///
    /// - Returns: the token to ask with what became of it.
    package func requestTestNotification(in environment: StoreEnvironment) async throws(ServerAPIError) -> String {
        try await call(
            ServerAPIRequest(.post, "inApps", "v1", "notifications", "test"),
            in: environment
        ) { response throws(ServerAPIError) in
            try response.text("testNotificationToken")
        }
    }

    /// What became of a test notification (App Store Server API, Get Test Notification Status).
    package func testNotificationStatus(
        _ token: String,
        in environment: StoreEnvironment
    ) async throws(ServerAPIError) -> TestNotificationStatus {
        try await call(
            ServerAPIRequest(.get, "inApps", "v1", "notifications", "test", token),
            in: environment,
            decode: TestNotificationStatus.init
        )
    }
}
