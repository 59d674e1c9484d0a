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
        let statement: Statement
        do {
            statement = try reader.readUpload(
                signedTransaction: parameters.signedTransaction,
                signedRenewalInfo: parameters.signedRenewalInfo,
                source: .upload,
                now: clock()
            )
        } catch {
            throw JSONRPCError(error)
        }
        do {
            let outcome = try await store.append(.statement(StatementRecord(statement), claim: parameters.account))
            metrics.countEvents(outcome.events.count)
            if outcome.isOwnershipConflict {
                throw ErrorReason.ownershipConflict.error(
                    "This purchase belongs to another account; it stays there. Sign in with that account, "
                        + "or have support transfer it."
                )
            }
            // Without an account of its own the caller learns about the line it holds the proof of, never who owns it.
            let subject: KeyParameters.Subject =
                parameters.account.map { .account($0) }
                ?? .originalTransactionID(statement.line?.originalTransactionID ?? "")
            let snapshot = try await store.snapshot(of: subject, in: statement.environment)
            let answer = snapshot.account.answer(at: clock(), catalog: snapshot.catalog, policy: store.policy)
            return SnapshotResponse(
                key: subject,
                environment: statement.environment,
                answer: answer,
                position: snapshot.position
            )
        } catch let error as StoreError {
            throw JSONRPCError(error)
        } catch let error as JSONRPCError {
            throw error
        } catch {
            throw .internalError
        }
    }
}
