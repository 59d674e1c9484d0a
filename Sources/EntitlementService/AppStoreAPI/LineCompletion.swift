import AppStore
import EntitlementDomain
import EventStore

/// Completes what is known of a customer's purchases from the App Store's own records: all transactions, and the renewal
/// info of each subscription.
struct LineCompletion: Sendable {
    /// What came of it.
    struct Outcome: Sendable, Hashable {
        var environment: StoreEnvironment
        /// The signed parts that the App Store sent.
        var statements = 0
        /// Those that the log did not have.
        var appended = 0
        /// Those that could not be used.
        var refused = 0
        /// The first reason why one could not.
        var problem: StatementError?

        init(environment: StoreEnvironment) {
            self.environment = environment
        }

        mutating func count(_ outcomes: [StatementIntake.Outcome]) {
            for outcome in outcomes {
                statements += 1
                switch outcome {
                case .appended: appended += 1
                case .refused(let error):
                    refused += 1
                    problem = problem ?? error
                case .known, .parked: break
                }
            }
        }
    }

    /// Why it did not come to its end. What was appended before stays.
    enum Failure: Error {
        case api(ServerAPIError)
        case store(StoreError)
    }

    let intake: StatementIntake

    /// Fetches and appends all that belongs to any transaction id of a customer.
    ///
    /// - Parameters:
    ///   - environment: nil: whichever knows the id.
    ///   - clients: the apps whose purchase it may be, asked in this order until one knows it; at least one.
    ///   - claim: the account that claims the purchases; nil: nobody does.
    func complete(
        _ id: String,
        in environment: StoreEnvironment?,
        with clients: [ServerAPIClient],
        claim: AccountID? = nil
    ) async throws(Failure) -> Outcome {
        let (client, first) = try await firstPage(of: id, in: environment, from: clients)
        var outcome = Outcome(environment: first.environment)
        outcome.count(try await take(first.transactions, claim))
        if first.hasMore {
            var pages = client.transactionHistoryPages(of: id, after: first.revision, in: first.environment)
            while let page = try await next(&pages) { outcome.count(try await take(page.transactions, claim)) }
        }
        let statuses: SubscriptionStatuses
        do throws(ServerAPIError) {
            statuses = try await client.subscriptionStatuses(of: id, in: first.environment)
        } catch {
            throw .api(error)
        }
        outcome.count(try await take(statuses.lines.map(\.statement), claim))
        return outcome
    }

    private func firstPage(
        of id: String,
        in environment: StoreEnvironment?,
        from clients: [ServerAPIClient]
    ) async throws(Failure) -> (ServerAPIClient, TransactionsPage) {
        var refusal: ServerAPIError?
        for client in clients {
            do throws(ServerAPIError) {
                return (client, try await client.transactionHistory(of: id, in: environment))
            } catch {
                guard error.code?.meansUnknownTransaction == true else { throw .api(error) }
                refusal = error
            }
        }
        throw .api(refusal ?? .invalidArgument("no app is configured"))
    }

    private func next(_ pages: inout ServerAPIPages<TransactionsPage>) async throws(Failure) -> TransactionsPage? {
        do throws(ServerAPIError) {
            return try await pages.next()
        } catch {
            throw .api(error)
        }
    }

    private func take(
        _ parts: [SignedResponsePart],
        _ claim: AccountID?
    ) async throws(Failure) -> [StatementIntake.Outcome] {
        do throws(StoreError) {
            return try await intake.take(parts, claim: claim)
        } catch {
            throw .store(error)
        }
    }
}
