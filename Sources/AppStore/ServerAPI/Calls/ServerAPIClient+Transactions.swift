package import EntitlementDomain
import JSON

extension ServerAPIClient {
    /// One transaction, newly signed (App Store Server API, Get Transaction Info).
    package func transactionInfo(
        _ transactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) -> Statement {
        try await find(
            ServerAPIRequest(.get, "inApps", "v1", "transactions", transactionID),
            in: environment
        ) { response throws(ServerAPIError) in
            try response.statement(try response.text("signedTransactionInfo"))
        }
    }

    /// One page of a customer's transactions (App Store Server API, Get Transaction History, v2).
    ///
    /// - Parameters:
    ///   - id: any transaction id, original transaction id or app transaction id of the customer.
    ///   - revision: from the page before, or from a walk that ended earlier.
    package func transactionHistory(
        of id: String,
        _ query: TransactionHistoryQuery = TransactionHistoryQuery(),
        after revision: String? = nil,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) -> TransactionsPage {
        var request = ServerAPIRequest(.get, "inApps", "v2", "history", id)
        request.query = query.items
        if let revision { request.query.append(("revision", revision)) }
        return try await find(request, in: environment, decode: TransactionsPage.init)
    }

    /// All pages of a customer's transactions in one environment, from a revision on.
    package func transactionHistoryPages(
        of id: String,
        _ query: TransactionHistoryQuery = TransactionHistoryQuery(),
        after revision: String? = nil,
        in environment: StoreEnvironment
    ) -> ServerAPIPages<TransactionsPage> {
        ServerAPIPages(from: revision) { revision async throws(ServerAPIError) in
            try await transactionHistory(of: id, query, after: revision, in: environment)
        }
    }

    /// One page of a customer's refunded transactions (App Store Server API, Get Refund History, v2).
    package func refundHistory(
        of id: String,
        after revision: String? = nil,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) -> TransactionsPage {
        var request = ServerAPIRequest(.get, "inApps", "v2", "refund", "lookup", id)
        if let revision { request.query.append(("revision", revision)) }
        return try await find(request, in: environment, decode: TransactionsPage.init)
    }

    /// All pages of a customer's refunded transactions in one environment.
    package func refundHistoryPages(
        of id: String,
        after revision: String? = nil,
        in environment: StoreEnvironment
    ) -> ServerAPIPages<TransactionsPage> {
        ServerAPIPages(from: revision) { revision async throws(ServerAPIError) in
            try await refundHistory(of: id, after: revision, in: environment)
        }
    }

    /// The purchases of an order id from a customer's receipt (App Store Server API, Look Up Order ID). Production alone
    /// has orders.
    package func lookUpOrder(_ orderID: String) async throws(ServerAPIError) -> OrderLookup {
        try await call(
            ServerAPIRequest(.get, "inApps", "v1", "lookup", orderID),
            in: .production,
            decode: OrderLookup.init
        )
    }

    /// The download of the app behind any transaction of a customer (App Store Server API, Get App Transaction Info).
    package func appTransactionInfo(
        of id: String,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) -> (statement: Statement, content: AppTransactionPayload) {
        try await find(
            ServerAPIRequest(.get, "inApps", "v1", "transactions", "appTransactions", id),
            in: environment
        ) { response throws(ServerAPIError) in
            do {
                return try response.reader.readAppTransaction(
                    signedAppTransaction: try response.text("signedAppTransactionInfo"),
                    source: .api,
                    now: response.now
                )
            } catch let error as StatementError {
                throw .untrusted(error)
            } catch let error as ServerAPIError {
                throw error
            } catch {
                throw .malformedResponse("\(error)")
            }
        }
    }

    /// Sets or replaces the token of a purchase and of its later renewals (App Store Server API, Set App Account Token).
    ///
    /// - Parameter originalTransactionID: no other id is taken.
    package func setAppAccountToken(
        _ token: AccountID,
        of originalTransactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) {
        var request = ServerAPIRequest(.put, "inApps", "v1", "transactions", originalTransactionID, "appAccountToken")
        request.body = ["appAccountToken": .string(token.description)]
        try await perform(request, in: environment)
    }

    /// Finishes a transaction in the app's place (App Store Server API, Finish Transaction).
    package func finishTransaction(
        _ transactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(ServerAPIError) {
        try await perform(
            ServerAPIRequest(.post, "inApps", "v1", "transactions", transactionID, "finish"),
            in: environment
        )
    }

    /// Makes a call whose response has no content.
    func perform(
        _ request: ServerAPIRequest,
        in environment: StoreEnvironment?,
        isUnknown: (ServerAPIRefusal) -> Bool = { $0.known?.meansUnknownTransaction ?? false }
    ) async throws(ServerAPIError) {
        var refusal: ServerAPIError?
        for candidate in environment.map({ [$0] }) ?? environments {
            do throws(ServerAPIError) {
                _ = try await send(request, in: candidate)
                return
            } catch {
                guard case .refused(let reason) = error, isUnknown(reason) else { throw error }
                refusal = error
            }
        }
        throw refusal ?? .invalidArgument("no environment is accepted that has an App Store Server API")
    }
}
