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
        guard let key = AnswerKey(account, in: environment), let ticket = cache.ticket(key) else {
            cache.countRead(isMiss: false)
            return try await readAlone(account, in: environment)
        }
        cache.countRead(isMiss: true)
        var read: AccountRead
        do {
            read = try await cache.flights.read(key) {
                let read = try await readAlone(account, in: environment)
                cache.insert(read.json, read.answer, at: read.position, for: key, ticket: ticket)
                return read
            }
        } catch {
            throw StoreError(error)
        }
        // The read that was joined may have begun before the position was reached, or before the clock's next change.
        let isBehind = minimum.map { $0.epoch != read.position.epoch || $0.number > read.position.number } ?? false
        let now = clock()
        if isBehind || now < read.answer.instant || read.answer.nextChangeAt.map({ $0 <= now }) ?? false {
            read = try await readAlone(account, in: environment)
        }
        return read
    }

    private func readAlone(
        _ account: AccountID,
        in environment: StoreEnvironment
    ) async throws(StoreError) -> AccountRead {
        let key = KeyParameters(subject: .account(account), environment: environment)
        let (snapshot, instant) = try await store.snapshot(of: key, at: nil, clock)
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
