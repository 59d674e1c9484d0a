import AppStore
import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC

/// The methods that hand in signed statements.
struct Submissions: Sendable {
    let reader: StatementReader
    let store: PostgresEventStore
    let metrics: ServiceMetrics
    let clock: @Sendable () -> Instant

    /// Verifies a transaction, appends it, and answers with the snapshot of its account, or of its line when nobody owns
    /// it.
    func transaction(_ parameters: TransactionsSubmit.Parameters) async throws(JSONRPCError) -> SnapshotResponse {
        let (statement, outcome) = try await append(parameters, asks: true)
        // Without an account of its own the caller learns about the line it holds the proof of, never who owns it.
        let subject: KeyParameters.Subject =
            parameters.account.map { .account($0) }
            ?? .originalTransactionID(statement.line?.originalTransactionID ?? "")
        do {
            let key = KeyParameters(subject: subject, environment: statement.environment)
            let now = clock()
            let (snapshot, instant) =
                if let found = outcome.claimant, found.account.answersFrom <= now {
                    (found, now)
                } else {
                    try await store.snapshot(of: key, at: nil, clock)
                }
            let answer = snapshot.account.answer(at: instant, catalog: snapshot.catalog, policy: store.policy)
            return SnapshotResponse(
                key: subject,
                environment: statement.environment,
                answer: answer,
                position: snapshot.position
            )
        } catch {
            throw JSONRPCError(error)
        }
    }

    /// Verifies and appends many transactions at the same time, so that they share the commits of groups.
    func transactions(
        _ parameters: TransactionsSubmitMany.Parameters
    ) async throws(JSONRPCError) -> TransactionsSubmitMany.Response {
        let items = parameters.transactions
        let settled = await withTaskGroup(of: (Int, TransactionsSubmitMany.Outcome, LogPosition?).self) { group in
            for (index, item) in items.enumerated() {
                group.addTask {
                    let (outcome, head) = await settle(item)
                    return (index, outcome, head)
                }
            }
            var settled: [(outcome: TransactionsSubmitMany.Outcome, head: LogPosition?)?] = Array(
                repeating: nil,
                count: items.count
            )
            for await (index, outcome, head) in group { settled[index] = (outcome, head) }
            return settled.compactMap(\.self)
        }
        var position = settled.compactMap(\.head).max { ($0.epoch, $0.number) < ($1.epoch, $1.number) }
        if position == nil {
            do {
                position = try await store.position()
            } catch {
                throw JSONRPCError(error)
            }
        }
        guard let position else { throw .internalError }
        return TransactionsSubmitMany.Response(outcomes: settled.map(\.outcome), position: position)
    }

    /// Verifies an app transaction and appends it; it changes no line.
    func appTransaction(
        _ parameters: AppTransactionsSubmit.Parameters
    ) async throws(JSONRPCError) -> AppTransactionsSubmit.Response {
        let (statement, content): (Statement, AppTransactionPayload)
        do {
            (statement, content) = try reader.readAppTransaction(
                signedAppTransaction: parameters.signedAppTransaction,
                source: .upload,
                now: clock()
            )
        } catch {
            metrics.ingest.countFailure("upload", reason: error.reason.rawValue)
            throw JSONRPCError(error)
        }
        let outcome = try await append(statement, for: parameters.account)
        return AppTransactionsSubmit.Response(
            bundleID: statement.bundleID,
            environment: statement.environment,
            originalApplicationVersion: content.originalApplicationVersion,
            originalPurchasedAt: content.originalPurchasedAt,
            applicationVersion: content.applicationVersion,
            appTransactionID: content.appTransactionID,
            originalPlatform: content.originalPlatform?.rawValue,
            preorderedAt: content.preorderedAt,
            position: outcome.head
        )
    }

    // MARK: Shared

    private func settle(
        _ item: TransactionsSubmit.Parameters
    ) async -> (outcome: TransactionsSubmitMany.Outcome, head: LogPosition?) {
        do {
            let (statement, outcome) = try await append(item)
            let accepted = TransactionsSubmitMany.Outcome.accepted(
                originalTransactionID: statement.line?.originalTransactionID ?? "",
                transactionID: statement.facts.transaction?.transactionID ?? "",
                environment: statement.environment
            )
            return (accepted, outcome.head)
        } catch {
            return (.refused(error), nil)
        }
    }

    private func append(
        _ parameters: TransactionsSubmit.Parameters,
        asks: Bool = false
    ) async throws(JSONRPCError) -> (Statement, AppendOutcome) {
        let statement: Statement
        do {
            statement = try reader.readUpload(
                signedTransaction: parameters.signedTransaction,
                signedRenewalInfo: parameters.signedRenewalInfo,
                source: .upload,
                now: clock()
            )
        } catch {
            metrics.ingest.countFailure("upload", reason: error.reason.rawValue)
            throw JSONRPCError(error)
        }
        return (statement, try await append(statement, for: parameters.account, asks: asks))
    }

    private func append(
        _ statement: Statement,
        for account: AccountID?,
        asks: Bool = false
    ) async throws(JSONRPCError) -> AppendOutcome {
        let outcome: AppendOutcome
        do {
            outcome = try await store.append(.statement(StatementRecord(statement), claim: account), asks: asks)
        } catch {
            throw JSONRPCError(error)
        }
        metrics.count(outcome)
        if outcome.refusal == .accountErased { throw .accountErased }
        if outcome.isOwnershipConflict {
            throw ErrorReason.ownershipConflict.error(
                "This purchase belongs to another account; it stays there. Sign in with that account, "
                    + "or have support transfer it."
            )
        }
        return outcome
    }
}
