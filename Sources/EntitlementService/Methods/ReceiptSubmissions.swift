import AppStore
import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC

/// The method that hands in app receipts.
struct ReceiptSubmissions: Sendable {
    let reader: ReceiptReader
    let service: ReceiptService?
    let store: PostgresEventStore
    let metrics: ServiceMetrics
    let completion: (any ReceiptCompletion)?
    let clock: @Sendable () -> Instant

    /// Verifies a receipt, appends its purchases, and answers with the snapshot of the account, or of the receipt's lines
    /// when none is given.
    ///
    /// A line that another account owns stays there, and nothing of it is appended; the call fails only when that is so
    /// of every line, for one customer of the App Store may have bought for several accounts.
    func receipt(_ parameters: ReceiptsSubmit.Parameters) async throws(JSONRPCError) -> ReceiptsSubmit.Response {
        let reading = try await read(parameters.receipt)
        let refused = try await append(reading, for: parameters.account)
        let lines = Set(reading.statements.compactMap { $0.line?.originalTransactionID })
        if !lines.isEmpty, refused == lines {
            throw ErrorReason.ownershipConflict.error(
                "The purchases of this receipt belong to another account; they stay there. Sign in with that account, "
                    + "or have support transfer them."
            )
        }
        if let completion, let last = reading.statements.last?.facts.transaction {
            await completion.complete(
                transactionID: last.transactionID,
                bundleID: reading.bundleID,
                environment: reading.environment,
                account: parameters.account
            )
        }
        return ReceiptsSubmit.Response(
            snapshot: try await snapshot(of: reading, lines: lines, for: parameters.account),
            isOfOneKey: parameters.account != nil || lines.count == 1,
            bundleID: reading.bundleID,
            createdAt: reading.receipt.createdAt,
            originalApplicationVersion: reading.receipt.originalApplicationVersion,
            transactionCount: reading.receipt.purchases.count,
            refusedLines: refused.sorted()
        )
    }

    /// Reads a receipt here; where that is not possible and the operator has it so, the App Store is asked.
    private func read(_ text: String) async throws(JSONRPCError) -> ReceiptReading {
        do throws(StatementError) {
            return try reader.read(text, now: clock())
        } catch {
            guard let service, ReceiptReader.isUndecided(error, of: text) else {
                metrics.ingest.countFailure("receipt", reason: error.reason.rawValue)
                throw JSONRPCError(error)
            }
            let answer: ReceiptServiceAnswer
            do throws(ReceiptServiceError) {
                answer = try await service.verify(text, now: clock())
            } catch {
                throw JSONRPCError(error)
            }
            do throws(StatementError) {
                return try reader.read(answer, of: text, now: clock())
            } catch {
                metrics.ingest.countFailure("receipt", reason: error.reason.rawValue)
                throw JSONRPCError(error)
            }
        }
    }

    /// Appends all statements in their order.
    ///
    /// - Returns: the lines that stay with another account.
    private func append(
        _ reading: ReceiptReading,
        for account: AccountID?
    ) async throws(JSONRPCError) -> Set<String> {
        let outcomes: [AppendOutcome]
        do {
            outcomes = try await store.append(
                reading.statements.map { .statement(StatementRecord($0), claim: account) }
            )
        } catch {
            throw JSONRPCError(error)
        }
        var refused: Set<String> = []
        for (statement, outcome) in zip(reading.statements, outcomes) {
            metrics.count(outcome)
            if outcome.refusal == .accountErased { throw .accountErased }
            if outcome.isOwnershipConflict, let line = statement.line { refused.insert(line.originalTransactionID) }
        }
        return refused
    }

    private func snapshot(
        of reading: ReceiptReading,
        lines: Set<String>,
        for account: AccountID?
    ) async throws(JSONRPCError) -> SnapshotResponse {
        do {
            // Without an account of its own the caller learns about the lines it holds the proof of, never who owns them.
            func read(_ reach: LineReach) async throws(StoreError) -> Snapshot {
                if let account {
                    return try await store.snapshot(ofAccount: account, in: reading.environment, reach: reach)
                }
                return try await store.snapshot(ofLines: lines, in: reading.environment, reach: reach)
            }
            var snapshot = try await read(.head)
            let instant = clock()
            if snapshot.account.answersFrom > instant { snapshot = try await read(.whole) }
            if account == nil { snapshot.account.lines.removeAll { $0.id.bundleID != reading.bundleID } }
            return SnapshotResponse(
                key: account.map { .account($0) } ?? .originalTransactionID(lines.min() ?? ""),
                environment: reading.environment,
                answer: snapshot.account.answer(at: instant, catalog: snapshot.catalog, policy: store.policy),
                position: snapshot.position
            )
        } catch {
            throw JSONRPCError(error)
        }
    }
}
