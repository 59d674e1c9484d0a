package import EntitlementDomain
package import Postgres

/// Folds one account from nothing and compares it with the live projections, or with the answer for a cut through the
/// log.
package struct AccountReplay: Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// The company's policies, as the service runs with them.
    package var policy: Policy
    /// The instant that answers are compared at.
    package var instant: Instant
    /// Compares with what is answered for this cut; nil: with the live projections.
    package var knownAt: KnownAt?
    /// The longest log that is searched whole for purchases that name the account and that the projections have lost.
    package var scanLimit: Int64

    package init(
        account: AccountID,
        environment: StoreEnvironment,
        policy: Policy,
        instant: Instant,
        knownAt: KnownAt? = nil,
        scanLimit: Int64 = .max
    ) {
        self.account = account
        self.environment = environment
        self.policy = policy
        self.instant = instant
        self.knownAt = knownAt
        self.scanLimit = scanLimit
    }

    /// Compares on a session of its own.
    ///
    /// - Throws: `StoreError.positionNotReached` for a cut beyond the log's end, `StoreError.failed` for a log whose
    ///   beginning is not in the database; `PostgresError`.
    package func compare(_ configuration: PostgresConfiguration) async throws -> ReplayReport {
        try await PostgresThread.withSession(configuration) { session in
            try session.transaction(.snapshot) { try compare($0, catalogs: CatalogCache()) }
        }
    }

    /// Runs in a transaction of one snapshot.
    func compare(_ session: PostgresSession, catalogs: CatalogCache) throws -> ReplayReport {
        let extent = try LogExtent.read(session)
        try extent.requireBeginning()
        let cut = try knownAt.map { try LogCut.position(of: $0, session) } ?? extent.head.logPosition
        let pseudonyms = try NameReader.pseudonyms(of: account, in: environment, session)
        // An account without a name has nothing: nothing is under a pseudonym that nobody has.
        let key = LogFold.AccountKey(
            environment: environment,
            account: pseudonyms.first ?? AccountName.randomPseudonym(at: instant)
        )
        let isComplete = extent.head.position <= scanLimit
        let ids = try AccountReplayRows.lineIDs(of: key, searchesLog: isComplete, session)
        let folded = try AccountReplayRows.folded(ids, of: key, upTo: cut.number, session)
        var report = ReplayReport(position: cut, eventCount: folded.eventCount, isComplete: isComplete)
        let found: [ProjectionDifference]
        if knownAt == nil {
            let catalogs = try ReplayStatements.catalogsInForce(session)
            found = try rowDifferences(of: key, ids, folded, catalogs, &report, session)
        } else {
            let snapshot = try HistoryReader(catalogs: catalogs)
                .snapshot(of: .account(account), in: environment, knownAt: .position(cut), session)
            report.lineCount = Int64(folded.owned.count)
            report.accountCount = 1
            found = answerDifferences(of: key, snapshot.account, folded.account, snapshot.catalog)
        }
        report.differenceCount = Int64(found.count)
        report.differences = try ReplayStatements.withEvents(found, session)
        for index in report.differences.indices where report.differences[index].account == key.account {
            report.differences[index].account = account
        }
        return report
    }

    private func rowDifferences(
        of key: LogFold.AccountKey,
        _ ids: [String],
        _ folded: AccountReplayRows.Folded,
        _ catalogs: [Catalog],
        _ report: inout ReplayReport,
        _ session: PostgresSession
    ) throws -> [ProjectionDifference] {
        var live = try AccountReplayRows.live(ids, environment, session)
        let liveAccount = try AccountReplayRows.liveAccount(key, session)
        var found: [ProjectionDifference] = []
        let owned = live.compactMap { id, rows in
            rows.row?.owner == key.account ? rows.state(id) : nil
        }
        for line in folded.lines {
            let rows = live.removeValue(forKey: line.state.id) ?? LiveLine()
            let owners = Set(line.formerOwners).union(rows.formerOwners)
                .union([line.owner, rows.row?.owner].compactMap(\.self))
            guard owners.contains(key.account) else { continue }
            report.lineCount += 1
            found += rows.differences(line.state.id, from: line, catalogs: catalogs, policy: policy)
        }
        for (id, rows) in live.sorted(by: { $0.key < $1.key }) {
            found += rows.differences(id, from: nil, catalogs: catalogs, policy: policy)
        }
        report.accountCount = 1
        found += LiveAccount.differences(key, liveAccount, from: folded.row)
        let state = liveAccount.flatMap { try? AccountState(encoded: $0.state) } ?? AccountState()
        return found
            + answerDifferences(
                of: key,
                Account(lines: owned, state: state),
                folded.account,
                catalogs.first ?? .empty
            )
    }

    private func answerDifferences(
        of key: LogFold.AccountKey,
        _ live: Account,
        _ replayed: Account,
        _ catalog: Catalog
    ) -> [ProjectionDifference] {
        let before = live.answer(at: instant, catalog: catalog, policy: policy)
        let after = replayed.answer(at: instant, catalog: catalog, policy: policy)
        let names = Set(before.entitlements.map(\.id)).union(after.entitlements.map(\.id)).sorted()
        var found: [ProjectionDifference] = names.compactMap { name in
            let (old, new) = (before[entitlement: name], after[entitlement: name])
            if old == new { return nil }
            return ProjectionDifference(answerFor: key, entitlement: name)
                .with(live: old.map(Self.text), replayed: new.map(Self.text))
        }
        for currency in Set(before.balances.keys).union(after.balances.keys).sorted()
        where before.balances[currency] != after.balances[currency] {
            found.append(
                ProjectionDifference(answerFor: key, entitlement: currency).with(
                    live: before.balances[currency].map { "balance \($0)" },
                    replayed: after.balances[currency].map { "balance \($0)" }
                )
            )
        }
        return found
    }

    private static func text(_ entitlement: Entitlement) -> String {
        let source = entitlement.decisive
        return "\(entitlement.state.rawValue) to \(source.accessEndsAt?.iso8601 ?? "no end")"
            + (source.productID.map { " by \($0)" } ?? "") + ", \(entitlement.sources.count) sources"
    }
}
