import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC
import X509

/// The methods that check the log and what is made of it.
struct Audits: Sendable {
    let store: PostgresEventStore
    let signatures: EvidenceSignatures
    let checkpoints: CheckpointKeeper
    let clock: @Sendable () -> Instant

    /// The longest log that one call folds whole.
    private static let replayLimit: Int64 = 50_000
    /// The longest log that is searched whole for one account.
    private static let scanLimit: Int64 = 2_000_000
    /// Differences in one answer.
    private static let listLimit = 200

    func verify(_ parameters: AuditVerify.Parameters) async throws(JSONRPCError) -> AuditVerify.Response {
        var verifier = ChainVerifier(from: parameters.from?.number, to: parameters.to?.number)
        if parameters.signatures { verifier.evidenceCheck = signatures.check }
        let result: Result<ChainReport, AuditError>
        do throws(StoreError) {
            if let epoch = (parameters.from ?? parameters.to)?.epoch {
                let current = try await store.position()
                if epoch != current.epoch {
                    throw StoreError.positionNotReached(isEpochChanged: true, current: current)
                }
            }
            result = try await store.verifyChain(verifier, atMost: parameters.limit)
        } catch {
            throw JSONRPCError(error)
        }
        switch result {
        case .success(let report): return AuditVerify.Response(report)
        case .failure(let error): throw ParameterReader.invalid("from", error.description)
        }
    }

    func replay(_ parameters: AuditReplay.Parameters) async throws(JSONRPCError) -> AuditReplay.Response {
        do {
            guard let account = parameters.account else {
                let head = try await store.position().number
                guard head <= Self.replayLimit else { throw TooLong(events: head) }
                return AuditReplay.Response(try await store.replayAll(listing: Self.listLimit))
            }
            let replay = AccountReplay(
                account: account,
                environment: parameters.environment,
                policy: store.policy,
                instant: parameters.at ?? clock(),
                knownAt: parameters.knownAt,
                scanLimit: Self.scanLimit
            )
            return AuditReplay.Response(try await store.replay(replay))
        } catch let error as StoreError {
            throw JSONRPCError(error)
        } catch let error as TooLong {
            throw ParameterReader.invalid(
                "account",
                "account is missing; the log has \(error.events) events, and 'entitled audit replay' folds it whole"
            )
        } catch {
            throw JSONRPCError(StoreError.failed("\(error)"))
        }
    }

    func checkpoint(_ parameters: AuditCheckpoint.Parameters) async throws(JSONRPCError) -> AuditCheckpoint.Response {
        let signed: SignedCheckpoint?
        do {
            signed = try await checkpoints.current()
        } catch {
            throw JSONRPCError(error)
        }
        guard let signed else {
            throw ErrorReason.notFound.error(
                checkpoints.isConfigured
                    ? "There is no checkpoint yet: the log is empty, or the directory of signingKeys holds no key."
                    : "Checkpoints are not set up here: name a directory in the setting signingKeys."
            )
        }
        return AuditCheckpoint.Response(
            position: signed.checkpoint.position,
            hash: Hexadecimal.text(signed.checkpoint.hash),
            signedAt: signed.checkpoint.signedAt,
            keyID: signed.keyID,
            token: signed.token
        )
    }

    private struct TooLong: Error {
        var events: Int64
    }
}

extension AuditVerify.Response {
    /// A report as it goes over the wire.
    init(_ report: ChainReport) {
        func position(_ number: Int64) -> LogPosition { LogPosition(epoch: report.head.epoch, number: number) }
        self.init(
            position: report.head,
            from: position(report.from),
            to: position(report.to),
            events: report.eventCount,
            evidence: report.evidenceCount,
            signatures: report.signatureCount,
            unverified: report.unverifiedCount,
            erased: report.erasedCount,
            lastHash: Hexadecimal.text(report.lastHash),
            hasMore: report.to < report.head.number,
            problem: report.problem.map {
                AuditVerify.Problem(position: position($0.position), kind: $0.kind.rawValue, message: $0.message)
            }
        )
    }
}

extension AuditReplay.Response {
    /// A report as it goes over the wire.
    init(_ report: ReplayReport) {
        self.init(
            position: report.position,
            isComplete: report.isComplete,
            events: report.eventCount,
            lines: report.lineCount,
            accounts: report.accountCount,
            count: report.differenceCount,
            differences: report.differences.map { difference in
                AuditReplay.Difference(
                    table: difference.table.rawValue,
                    field: difference.field,
                    environment: difference.environment?.rawValue,
                    bundleID: difference.line?.bundleID,
                    originalTransactionID: difference.line?.originalTransactionID,
                    account: difference.account,
                    entitlement: difference.entitlement,
                    live: difference.live,
                    replayed: difference.replayed,
                    events: difference.events.map { LogPosition(epoch: report.position.epoch, number: $0) }
                )
            }
        )
    }
}
