import AppStore
import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC

/// The methods that ask something of the App Store.
struct StoreActions: Sendable {
    let clients: AppStoreClients
    let completion: LineCompletion
    let store: PostgresEventStore
    let commands: Commands
    let clock: @Sendable () -> Instant

    /// Fetches all that the App Store knows of a customer's purchases, and answers with the snapshot of the line.
    func restore(_ parameters: PurchasesRestore.Parameters) async throws(JSONRPCError) -> PurchasesRestore.Response {
        let candidates = try clients.candidates(for: parameters.bundleID)
        let outcome: LineCompletion.Outcome
        do throws(LineCompletion.Failure) {
            outcome = try await completion.complete(
                parameters.originalTransactionID,
                in: parameters.environment,
                with: candidates
            )
        } catch {
            switch error {
            case .api(let error): throw JSONRPCError(error)
            case .store(let error): throw JSONRPCError(error)
            }
        }
        if outcome.refused == outcome.statements, let problem = outcome.problem { throw JSONRPCError(problem) }
        do throws(StoreError) {
            let snapshot = try await store.snapshot(
                ofLine: parameters.originalTransactionID,
                in: outcome.environment
            )
            return PurchasesRestore.Response(
                snapshot: SnapshotResponse(
                    key: .originalTransactionID(parameters.originalTransactionID),
                    environment: outcome.environment,
                    answer: snapshot.account.answer(at: clock(), catalog: snapshot.catalog, policy: store.policy),
                    position: snapshot.position
                ),
                fetched: outcome.statements,
                appended: outcome.appended,
                refused: outcome.refused
            )
        } catch {
            throw JSONRPCError(error)
        }
    }

    /// Has the App Store put an account's token on a purchase, and gives the line to the account.
    ///
    /// The App Store comes first: when it refuses, nothing is changed here. A call that failed after it may be repeated.
    func setAppAccountToken(
        _ parameters: AccountsSetAppAccountToken.Parameters
    ) async throws(JSONRPCError) -> CommandResponse {
        let candidates = try clients.candidates(for: parameters.bundleID)
        // A line that nobody has heard of cannot be given away afterwards.
        let snapshot: Snapshot
        do throws(StoreError) {
            snapshot = try await store.snapshot(
                ofLine: parameters.originalTransactionID,
                in: parameters.command.environment
            )
        } catch {
            throw JSONRPCError(error)
        }
        guard !snapshot.account.lines.isEmpty else {
            throw ErrorReason.notFound.error("There is no such purchase here; restore it first.")
        }
        try await setToken(parameters, with: candidates)
        return try await commands.transfer(
            AccountsTransfer.Parameters(
                subject: .originalTransactionID(parameters.originalTransactionID),
                toAccount: parameters.account,
                command: parameters.command
            )
        )
    }

    private func setToken(
        _ parameters: AccountsSetAppAccountToken.Parameters,
        with candidates: [ServerAPIClient]
    ) async throws(JSONRPCError) {
        var refusal: ServerAPIError?
        for client in candidates {
            do throws(ServerAPIError) {
                try await client.setAppAccountToken(
                    parameters.account,
                    of: parameters.originalTransactionID,
                    in: parameters.command.environment
                )
                return
            } catch {
                guard error.code?.meansUnknownTransaction == true else { throw JSONRPCError(error) }
                refusal = error
            }
        }
        throw JSONRPCError(refusal ?? .invalidArgument("no app is configured"))
    }
}
