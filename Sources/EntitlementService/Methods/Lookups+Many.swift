import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC

extension Lookups {
    /// The answers for many accounts, all from one place in the log and for one instant.
    func many(_ parameters: EntitlementsGetMany.Parameters) async throws(JSONRPCError) -> EntitlementsGetMany.Response {
        var snapshots: Snapshots
        let instant: Instant
        do {
            if let minPosition = parameters.minPosition {
                try await store.wait(for: minPosition, upTo: .milliseconds(parameters.waitMilliseconds))
            }
            let accounts = Set(parameters.accounts)
            if let knownAt = parameters.knownAt {
                snapshots = try await store.snapshots(
                    ofAccounts: accounts,
                    in: parameters.environment,
                    knownAt: knownAt
                )
            } else {
                snapshots = try await store.snapshots(ofAccounts: accounts, in: parameters.environment)
            }
            instant = parameters.at ?? clock()
            if snapshots.accounts.values.contains(where: { $0.answersFrom > instant }) {
                snapshots = try await store.snapshots(
                    ofAccounts: accounts,
                    in: parameters.environment,
                    reach: .whole
                )
            }
        } catch {
            throw JSONRPCError(error)
        }
        let answers = snapshots.accounts.mapValues {
            $0.answer(at: instant, catalog: snapshots.catalog, policy: store.policy)
        }
        return EntitlementsGetMany.Response(
            results: parameters.accounts.compactMap { account in answers[account].map { (account, $0) } },
            environment: parameters.environment,
            instant: instant,
            position: snapshots.position
        )
    }
}

/// From memory as far as it goes.
extension Lookups {
    /// The result of `entitlements.getMany`: what is in memory is taken from there, the rest is read in one query, which also
    /// sees to it that all answers are from one place in the log.
    func manyJSON(_ parameters: EntitlementsGetMany.Parameters) async throws(JSONRPCError) -> [UInt8] {
        guard reads.cache.isOn, parameters.at == nil, parameters.knownAt == nil else {
            return try await many(parameters).json
        }
        let accounts = Set(parameters.accounts)
        var now = clock()
        var known = KnownAnswers(accounts, in: parameters.environment, at: now, reads.cache)
        if known.hasReached(parameters.minPosition) {
            if known.missing.isEmpty, let place = known.place {
                return known.json(parameters.accounts, in: parameters.environment, at: now, place.log)
            }
            if let position = try await read(&known, in: parameters.environment, at: now) {
                return known.json(parameters.accounts, in: parameters.environment, at: now, position)
            }
        } else if let minimum = parameters.minPosition {
            do {
                try await store.wait(for: minimum, upTo: .milliseconds(parameters.waitMilliseconds))
            } catch {
                throw JSONRPCError(error)
            }
        }
        // What was known is not right at one place together with the rest.
        now = clock()
        known = KnownAnswers(missing: accounts)
        guard let position = try await read(&known, in: parameters.environment, at: now) else { throw .internalError }
        return known.json(parameters.accounts, in: parameters.environment, at: now, position)
    }

    /// Reads what is missing, and keeps it.
    ///
    /// - Returns: the position that all answers are right at; nil when what was known is not right there.
    private func read(
        _ known: inout KnownAnswers,
        in environment: StoreEnvironment,
        at now: Instant
    ) async throws(JSONRPCError) -> LogPosition? {
        let keys = known.missing.compactMap { AnswerKey($0, in: environment) }
        let tickets = keys.map { reads.cache.ticket($0) }
        guard var found = try await snapshots(known, in: environment, reach: .head) else { return nil }
        if found.accounts.values.contains(where: { $0.answersFrom > now }) {
            guard let whole = try await snapshots(known, in: environment, reach: .whole) else { return nil }
            found = whole
        }
        for (key, ticket) in zip(keys, tickets) {
            reads.cache.countRead(isMiss: ticket != nil)
            let answer = found.accounts[key.account]?.answer(at: now, catalog: found.catalog, policy: store.policy)
            guard let answer else { continue }
            let json = SnapshotResponse(
                key: .account(key.account),
                environment: environment,
                answer: answer,
                position: found.position
            ).json
            if let ticket { reads.cache.insert(json, answer, at: found.position, for: key, ticket: ticket) }
            if let entry = KnownAnswers.entry(json) { known.add(entry, for: key.account) }
        }
        return found.position
    }

    /// The facts of the accounts that are missing; nil when others have changed since they were known.
    private func snapshots(
        _ known: KnownAnswers,
        in environment: StoreEnvironment,
        reach: LineReach
    ) async throws(JSONRPCError) -> Snapshots? {
        do {
            guard let place = known.place, let basis = known.basis else {
                return try await store.snapshots(ofAccounts: known.missing, in: environment, reach: reach)
            }
            return try await store.snapshots(
                ofAccounts: known.missing,
                in: environment,
                unlessChanged: Array(known.entries.keys),
                since: place,
                basis,
                reach: reach
            )
        } catch {
            throw JSONRPCError(error)
        }
    }
}
