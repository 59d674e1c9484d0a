import EntitlementDomain
import Foundation
import Postgres

extension PostgresEventStore {
    /// Checks a part of the hash chain, at most that many events, on one of the store's sessions.
    ///
    /// - Returns: the report, or why the range cannot be checked.
    package func verifyChain(
        _ verifier: ChainVerifier,
        atMost limit: Int64
    ) async throws(StoreError) -> Result<ChainReport, AuditError> {
        try await reading { session in
            do {
                return .success(try verifier.verify(atMost: limit, session))
            } catch let error as AuditError {
                return .failure(error)
            }
        }
    }

    /// Where the log ends, with the hash there.
    package func head() async throws(StoreError) -> LogHead {
        try await reading { try LogExtent.read($0).head }
    }

    /// Folds one account from nothing and compares, within one snapshot.
    package func replay(_ replay: AccountReplay) async throws(StoreError) -> ReplayReport {
        let catalogs = catalogs
        return try await reading { session in
            try session.transaction(.snapshot) { try replay.compare($0, catalogs: catalogs) }
        }
    }

    /// Folds the whole log from nothing and compares, on a session of its own: for a small log.
    package func replayAll(listing limit: Int) async throws(StoreError) -> ReplayReport {
        var replay = ProjectionReplay(
            policy: policy,
            sessions: 1,
            workDirectory: FileManager.default.temporaryDirectory
        )
        replay.limit = limit
        do {
            return try await replay.compare(database)
        } catch {
            throw StoreError(error)
        }
    }
}
