import EntitlementDomain
package import Postgres

/// Checks that the log is the one that was written: that every hash follows from the event before and the bytes of its
/// own, that no position is missing, that the texts behind the events are there and unchanged.
package struct ChainVerifier: Sendable {
    /// The first position to check; nil: 1.
    package var from: Int64?
    /// The last one; nil: the log's last.
    package var to: Int64?
    /// The hash before `from`, for a log whose beginning was archived; nil: it is read from the event before.
    package var previousHash: [UInt8]?
    /// Whether the texts behind the events are checked as well.
    package var checksEvidence = true
    /// What the log must have at positions of the range, besides holding together.
    package var anchors: [ChainAnchor] = []
    /// Verifies the signatures of those texts; nil: they are not looked at.
    package var evidenceCheck: EvidenceCheck?

    /// Positions in one piece of work.
    var chunkLength: Int64 = 32_768

    package init(from: Int64? = nil, to: Int64? = nil) {
        self.from = from
        self.to = to
    }

    /// Checks on several sessions of its own. Reads alone, and takes no lock that others wait for.
    ///
    /// - Parameters:
    ///   - configuration: any role that may read the log.
    ///   - sessions: how many ranges are checked side by side.
    ///   - progress: told now and then how far the work has come.
    /// - Throws: `AuditError` for a range that cannot be checked; `PostgresError`, `StoreError`.
    package func verify(
        _ configuration: PostgresConfiguration,
        sessions: Int,
        progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
    ) async throws -> ChainReport {
        let threads = (0..<max(sessions, 1)).map { _ in PostgresThread(configuration) }
        do {
            let work = ChainWork(plan: try await threads[0].run { try self.plan($0) }, length: chunkLength)
            let chunk = chunk
            try await withThrowingTaskGroup(of: Void.self) { group in
                for thread in threads {
                    group.addTask {
                        while let (range, previous) = work.next() {
                            work.finish(try await thread.run { try chunk.check(range, after: previous, $0) })
                            progress(work.progress)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let report = try await threads[0].run { try self.checkAnchors(work.report, $0) }
            for thread in threads { await thread.close() }
            return report
        } catch {
            for thread in threads { await thread.close() }
            throw error
        }
    }

    /// Checks on one session, at most that many events: for a caller who waits for the answer.
    ///
    /// - Throws: as `verify(_:sessions:progress:)`.
    func verify(atMost limit: Int64, _ session: PostgresSession) throws -> ChainReport {
        var plan = try self.plan(session)
        plan.shorten(to: limit)
        let work = ChainWork(plan: plan, length: chunkLength)
        while let (range, previous) = work.next() {
            work.finish(try chunk.check(range, after: previous, session))
        }
        return try checkAnchors(work.report, session)
    }

    /// A chain that holds can still be another one than before: written anew from some place on.
    private func checkAnchors(_ report: ChainReport, _ session: PostgresSession) throws -> ChainReport {
        var report = report
        for anchor in anchors {
            let found = try session.query(
                "SELECT hash FROM entitled.events WHERE position = $1::bigint",
                [.int8(anchor.position)]
            )
            let hash = found.isEmpty ? nil : try found.bytes(0, 0)
            if hash == anchor.hash { continue }
            report.note(
                ChainProblem(
                    position: anchor.position,
                    kind: .checkpointMismatch,
                    message: hash == nil
                        ? "a checkpoint vouches for an event of this position, and there is none"
                        : "the log up to here is not the one that the checkpoint vouches for: it was written anew"
                )
            )
        }
        return report
    }

    private var chunk: ChainChunk {
        ChainChunk(checksEvidence: checksEvidence, evidenceCheck: evidenceCheck, chains: ChainTexts())
    }

    private func plan(_ session: PostgresSession) throws -> ChainPlan {
        let extent = try LogExtent.read(session)
        let last = max(extent.head.position, extent.last ?? 0)
        let from = from ?? 1
        let to = to ?? last
        var plan = ChainPlan(from: from, to: to, head: extent.head, last: extent.last ?? 0)
        if last == 0, from == 1, self.to ?? 0 == 0 { return plan }
        guard from >= 1, from <= to, to <= last else { throw AuditError.rangeOutside(from: from, to: to, last: last) }
        if let previousHash {
            plan.previous = previousHash
        } else if from == 1 {
            plan.previous = ChainWalk.zeros
        } else {
            let before = try session.query(
                "SELECT FROM entitled.events WHERE position = $1::bigint",
                [.int8(from - 1)]
            )
            if before.isEmpty { throw AuditError.previousHashNeeded(from: from) }
        }
        return plan
    }
}
