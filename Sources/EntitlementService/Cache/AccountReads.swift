import EntitlementAPI
import EntitlementDomain
import EventStore

/// Reads the answers of accounts for now: from the cache, else from the database, and then keeps them.
struct AccountReads: Sendable {
    let store: PostgresEventStore
    let cache: AnswerCache
    let clock: @Sendable () -> Instant

    /// The answer as the database has it, shared with those who ask for the same account meanwhile.
    ///
    /// - Parameter minimum: the position that the answer must have reached; the database has.
    func read(
        _ account: AccountID,
        in environment: StoreEnvironment,
        minimum: LogPosition?
    ) async throws(StoreError) -> AccountRead {
        let result = await withCheckedContinuation { continuation in
            read(account, in: environment, minimum: minimum) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// The same for a caller that does not wait.
    ///
    /// - Parameter completion: is called on a thread that goes on reading for others, so what it does should be short.
    func read(
        _ account: AccountID,
        in environment: StoreEnvironment,
        minimum: LogPosition? = nil,
        _ completion: @escaping ReadFlights.Completion
    ) {
        guard let key = AnswerKey(account, in: environment), let ticket = cache.ticket(key) else {
            cache.countRead(isMiss: false)
            return readAlone(account, in: environment, completion)
        }
        cache.countRead(isMiss: true)
        cache.flights.read(key) { result in
            // The read that was joined may have begun before the position was reached, or before the clock's next change.
            guard case .success(let read) = result, !isUsable(read, minimum) else { return completion(result) }
            readAlone(account, in: environment, completion)
        } begin: { end in
            readAlone(account, in: environment) { result in
                if case .success(let read) = result {
                    cache.insert(read.json, read.answer, at: read.position, for: key, ticket: ticket)
                }
                end(result)
            }
        }
    }

    private func isUsable(_ read: AccountRead, _ minimum: LogPosition?) -> Bool {
        if let minimum, minimum.epoch != read.position.epoch || minimum.number > read.position.number { return false }
        let now = clock()
        return now >= read.answer.instant && read.answer.nextChangeAt.map { $0 > now } ?? true
    }

    private func readAlone(
        _ account: AccountID,
        in environment: StoreEnvironment,
        _ completion: @escaping ReadFlights.Completion
    ) {
        store.readSnapshot(ofAccount: account, in: environment) { result in
            let snapshot: Snapshot
            switch result {
            case .success(let read): snapshot = read
            case .failure(let error): return completion(.failure(error))
            }
            // After the facts, so that what they tell has happened by then.
            let instant = clock()
            if snapshot.account.answersFrom <= instant {
                return completion(.success(answer(account, in: environment, snapshot, at: instant)))
            }
            Task {
                do throws(StoreError) {
                    let whole = try await store.snapshot(ofAccount: account, in: environment, reach: .whole)
                    completion(.success(answer(account, in: environment, whole, at: instant)))
                } catch {
                    completion(.failure(error))
                }
            }
        }
    }

    private func answer(
        _ account: AccountID,
        in environment: StoreEnvironment,
        _ snapshot: Snapshot,
        at instant: Instant
    ) -> AccountRead {
        let answer = snapshot.account.answer(at: instant, catalog: snapshot.catalog, policy: store.policy)
        let response = SnapshotResponse(
            key: .account(account),
            environment: environment,
            answer: answer,
            position: snapshot.position
        )
        return AccountRead(answer: answer, position: snapshot.position, json: response.json)
    }
}
