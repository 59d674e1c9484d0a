import EntitlementDomain
import Postgres
import X509

/// Writes one group of requests in one transaction: takes the log's lock, reads what the requests concern, decides, and
/// inserts events and projections. Runs on a session's own thread.
struct AppendGroup {
    var requests: [AppendRequest]
    /// The places of the requests that ask for the facts of the account that claims.
    var asking: Set<Int> = []
    var recordedAt: Instant
    var policy: Policy
    var catalogs: CatalogCache
    var codec: EvidenceCodec
    /// Whether to look which statements are in the log already. One that was not looked for is refused by the database, and
    /// then the group is written again with this and with `looksForEvidence`.
    var looksForStatements = true
    /// Whether to look for texts that are stored already. A statement that is not in the log rarely comes with one.
    var looksForEvidence = false

    /// One outcome for each request, in their order, what all of them together changed, and the facts of those who claim, by
    /// the places of the requests that ask.
    typealias Result = (
        outcomes: [AppendOutcome], changes: AppendedChanges, claimants: [Int: Claimants.Facts]
    )

    /// Appends the group.
    ///
    /// - Parameters:
    ///   - checksTimeline: true for the first group of a session: a fail-over may have rewound the log.
    ///   - knownChains: the certificate chains that are stored already, as far as is known; those of the group are added,
    ///     and stored when this returns.
    func run(
        _ session: PostgresSession,
        checksTimeline: Bool,
        knownChains: inout Set<CertificateChain.ID>
    ) throws -> Result {
        let timeline = checksTimeline ? [PostgresPipelineStep(AppendStatements.noteTimeline)] : []
        var random = BufferedRandom()
        var (result, last) = try session.transaction(beginningWith: timeline + lookups) { session, results in
            var context = try context(Array(results.dropFirst(timeline.count)), random, session)
            while true {
                var plan = AppendPlan(context)
                var outcomes = requests.map { request in
                    plan.add(request) { TimeOrderedID.make(at: recordedAt, using: &random) }
                }
                let long = plan.divideLines()
                if !long.isEmpty {
                    // What was decided on their heads does not count.
                    try LineHistory.complete(long, in: &context, session)
                    continue
                }
                let written =
                    plan.rows.isEmpty
                    ? Written(feedOrdinal: plan.context.feedEnd.ordinal) : try write(plan, &knownChains, session)
                for index in outcomes.indices { outcomes[index].head = plan.head.logPosition }
                let claimants = Claimants(asking, requests, outcomes, plan)
                return (
                    written.steps + [claimants.step].compactMap(\.self),
                    (outcomes: outcomes, plan: plan, written: written, claimants: claimants)
                )
            }
        }
        let facts = result.claimants.facts(result.claimants.step == nil ? nil : last.popLast())
        var accounts = result.written.accounts
        if result.written.namesAccounts, let found = last.last { accounts = try NameReader.accounts(found) }
        let end = FeedPosition(result.plan.head.logPosition, ordinal: result.written.feedOrdinal)
        return (result.outcomes, AppendedChanges(result.plan, accounts: accounts, feedEnd: end), facts)
    }

    /// What is left to do when the events are inserted.
    private struct Written {
        /// The statements that travel with COMMIT.
        var steps: [PostgresPipelineStep] = []
        /// Whether the last of them finds the accounts behind the pseudonyms that the plan changed without knowing them.
        var namesAccounts = false
        /// Those accounts, as far as they are known already.
        var accounts: [AccountID: AccountID] = [:]
        /// The ordinal of the feed's last place.
        var feedOrdinal: Int64
    }

    // MARK: Reading

    /// The log's lock, and what the requests concern.
    private var lookups: [PostgresPipelineStep] {
        let lineIDs = Array(Set(requests.compactMap(\.line))).sorted()
        let statements = looksForStatements ? requests.compactMap(\.identity) : []
        return [
            PostgresPipelineStep(AppendStatements.lockHead),
            PostgresPipelineStep(AppendStatements.findStatements, [.byteaArray(statements)]),
            PostgresPipelineStep(AppendStatements.findLines, LineKeys(lineIDs).values),
        ] + nameSteps
    }

    /// - Parameter results: of `lookups`.
    private func context(
        _ results: [PostgresResult],
        _ random: BufferedRandom,
        _ session: PostgresSession
    ) throws -> AppendPlan.Context {
        let commands = requests.compactMap(\.command)
        var names = NameBook(at: recordedAt, random: random)
        for result in results[3...] { try NameStatements.read(result, into: &names) }
        guard results[0].rowCount == 1 else {
            throw StoreError.failed("table log_head has no row; the database is damaged")
        }
        let head = LogHead(
            epoch: Int(try results[0].int32(0, 0)),
            position: try results[0].int64(0, 1),
            hash: try results[0].bytes(0, 2)
        )
        let catalog = try catalogs.catalog(at: try results[0].int64(0, 3), session)
        var lines: [LineID: LineState] = [:]
        for row in results[2].rows {
            let state = try LineRow.read(results[2], row)
            lines[state.id] = state
        }
        let known = Set(try results[1].rows.map { try results[1].bytes($0, 0) })
        let concerns = try CommandConcerns.read(commands, names, session)
        for line in concerns.lines { lines[line.id] = line }
        var context = AppendPlan.Context(
            head: head,
            feedEnd: FeedPosition(head.logPosition, ordinal: try results[0].int64(0, 5)),
            // A clock that was set back must not make an event older than the one before it.
            recordedAt: max(
                recordedAt,
                try results[0].timestamp(0, 4) == .min
                    ? .distantPast : Instant(microseconds: try results[0].timestamp(0, 4))
            ),
            catalog: catalog.catalog,
            catalogJSON: catalog.json,
            policy: policy,
            lines: lines,
            knownStatements: known,
            knownEvidence: try knownEvidence(known, session),
            accounts: concerns.accounts,
            knownCommands: concerns.knownCommands,
            names: names
        )
        try LineHistory.complete(longLines(context, session), in: &context, session)
        return context
    }

    /// Which texts are stored already, where that matters: a claim on a purchase that is in the log, or comes into it before
    /// the claim, names its text, which may be another one than was stored; and of a statement of several texts one often
    /// was there before, as the transaction that comes with newer renewal info.
    private func knownEvidence(_ known: Set<[UInt8]>, _ session: PostgresSession) throws -> Set<[UInt8]> {
        var (seen, repeated) = (known, known)
        for identity in requests.compactMap(\.identity) where !seen.insert(identity).inserted {
            repeated.insert(identity)
        }
        let digests = requests.filter { request in
            looksForEvidence || request.evidenceDigests.count > 1
                || request.claim != nil && request.identity.map(repeated.contains) == true
        }
        .flatMap(\.evidenceDigests)
        if digests.isEmpty { return [] }
        let found = try session.query(AppendStatements.findEvidence, [.byteaArray(digests)])
        return Set(try found.rows.map { try found.bytes($0, 0) })
    }

    /// The lines whose earlier transactions new statements may concern.
    private func longLines(_ context: AppendPlan.Context, _ session: PostgresSession) throws -> Set<LineID> {
        var found: Set<LineID> = []
        var unsure: [StatementRecord] = []
        for statement in requests.compactMap(\.statement) {
            guard let id = statement.line, let line = context.lines[id], line.cut != nil,
                !context.knownStatements.contains(statement.identity)
            else { continue }
            if line.reachesBehindCut(statement.facts) { found.insert(id) } else { unsure.append(statement) }
        }
        return try found.union(LineHistory.touched(by: unsure, session))
    }

    /// What reads the names of the accounts that the requests name.
    private var nameSteps: [PostgresPipelineStep] {
        let keys = Array(requests.reduce(into: Set<AppendPlan.AccountKey>()) { $0.formUnion($1.accounts) })
        let erased = requests.compactMap(\.erasedAccount)
        var steps: [PostgresPipelineStep] = []
        if !keys.isEmpty {
            steps.append(
                PostgresPipelineStep(
                    NameStatements.find,
                    [.uuidArray(keys.map(\.account.uuid)), .textArray(keys.map(\.environment.rawValue))]
                )
            )
        }
        if !erased.isEmpty {
            steps.append(PostgresPipelineStep(NameStatements.findEverywhere, [.uuidArray(erased.map(\.uuid))]))
        }
        return steps
    }

    // MARK: Writing

    /// Inserts the events, and more where that cannot wait.
    private func write(
        _ plan: AppendPlan,
        _ knownChains: inout Set<CertificateChain.ID>,
        _ session: PostgresSession
    ) throws -> Written {
        let (last, span) = (plan.head.position, AppendStatements.positionsPerPartition)
        if last / span != (last - Int64(plan.rows.count)) / span {
            try session.query(AppendStatements.ensurePartition, [.int8(last)])
        }
        var written = Written(feedOrdinal: 0)
        try EventCopy.insert(plan.rows, session) {
            let places = FeedPlaces(plan, readableFrom: recordedAt)
            written.feedOrdinal = places.lastOrdinal
            written.steps = try projectionSteps(plan, places, &knownChains)
        }
        let unknown = Set(plan.changedAccounts.keys.map(\.account)).filter { plan.context.names.account(of: $0) == nil }
        if !unknown.isEmpty {
            written.steps.append(PostgresPipelineStep(NameStatements.findAccounts, [.uuidArray(unknown.map(\.uuid))]))
            written.namesAccounts = true
        }
        if let catalog = plan.newCatalogs.last {
            let results = try session.pipeline(written.steps)
            if written.namesAccounts { written.accounts = try results.last.map(NameReader.accounts) ?? [:] }
            (written.steps, written.namesAccounts) = ([], false)
            try CatalogProjection(policy: policy, catalogs: catalogs).begin(at: catalog.position, session)
        }
        return written
    }

    /// The statements that write all but the events.
    private func projectionSteps(
        _ plan: AppendPlan,
        _ places: FeedPlaces,
        _ knownChains: inout Set<CertificateChain.ID>
    ) throws -> [PostgresPipelineStep] {
        var steps: [PostgresPipelineStep] = []
        if !plan.newEvidence.isEmpty {
            let stored = plan.newEvidence.map { $0.stored ?? codec.encode($0.text) }
            let chains = stored.flatMap(\.chains).filter { knownChains.insert($0.id).inserted }
            if !chains.isEmpty { steps.append(chainStep(chains)) }
            let sealed = try zip(plan.newEvidence, stored).map { evidence, stored in
                try EvidenceSeal.seal(stored.bytes, for: evidence.sealedFor, keys: plan.context.names.evidenceKey)
            }
            steps.append(
                PostgresPipelineStep(
                    AppendStatements.insertEvidence,
                    [.byteaArray(plan.newEvidence.map(\.digest)), .byteaArray(sealed)]
                )
            )
        }
        if !plan.newStatements.isEmpty {
            steps.append(
                PostgresPipelineStep(
                    AppendStatements.insertStatements,
                    [.byteaArray(plan.newStatements.map(\.id)), .int8Array(plan.newStatements.map(\.position))]
                )
            )
        }
        steps += NameStatements.steps(plan.context.names)
        steps += lineSteps(plan)
        if !plan.changedStates.isEmpty {
            let accounts = plan.changedStates.sorted { $0.value < $1.value }
            steps.append(
                PostgresPipelineStep(
                    AppendStatements.upsertAccounts,
                    [
                        .textArray(accounts.map(\.key.environment.rawValue)),
                        .uuidArray(accounts.map(\.key.account.uuid)), .int8Array(accounts.map(\.value)),
                        .byteaArray(accounts.map { plan.account($0.key).encoded }),
                    ]
                )
            )
        }
        steps += places.steps
        for catalog in plan.newCatalogs {
            steps.append(
                PostgresPipelineStep(AppendStatements.insertCatalog, [.int8(catalog.position), .jsonb(catalog.json)])
            )
        }
        steps.append(
            PostgresPipelineStep(
                AppendStatements.moveHead,
                [
                    .int8(plan.head.position), .bytea(plan.head.hash), .int8(plan.newCatalogs.last?.position ?? 0),
                    .timestamptz(plan.context.recordedAt.microseconds), .int8(places.lastOrdinal),
                    .bool(!plan.context.names.newlyErased.isEmpty),
                ]
            )
        )
        return steps
    }

    /// In the order of their ids: another importer of chains must not wait for this one and this one for it.
    private func chainStep(_ chains: [CertificateChain]) -> PostgresPipelineStep {
        let sorted = chains.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
        return PostgresPipelineStep(
            AppendStatements.insertChains,
            [.byteaArray(sorted.map(\.id.bytes)), .byteaArray(sorted.map(\.text))]
        )
    }

    private func lineSteps(_ plan: AppendPlan) -> [PostgresPipelineStep] {
        if plan.changedLines.isEmpty { return [] }
        let changed = plan.changedLines.sorted { $0.key < $1.key }
        var steps: [PostgresPipelineStep] = []
        for (statement, lines) in [
            (AppendStatements.insertLines, changed.filter { plan.isNew($0.key) }),
            (AppendStatements.updateLines, changed.filter { !plan.isNew($0.key) }),
        ] where !lines.isEmpty {
            let states = lines.map { plan.line($0.key) }
            steps.append(
                PostgresPipelineStep(
                    statement,
                    LineKeys(lines.map(\.key)).values + [
                        .uuidArray(states.map { $0.owner?.uuid }), .int8Array(lines.map(\.value)),
                        .byteaArray(states.map(\.encoded)),
                    ]
                )
            )
        }
        if !plan.formerOwners.isEmpty {
            let owners = plan.formerOwners.sorted { ($0.line, $0.account) < ($1.line, $1.account) }
            steps.append(
                PostgresPipelineStep(
                    AppendStatements.insertFormerOwners,
                    LineKeys(owners.map(\.line)).values + [.uuidArray(owners.map(\.account.uuid))]
                )
            )
        }
        var changes = EntitlementChanges()
        for (id, _) in changed {
            let after = EntitlementInterval.all(of: plan.line(id), catalog: plan.catalog, policy: policy)
            if plan.isNew(id) {
                changes.add(new: id, after)
            } else {
                changes.add(
                    id,
                    before: EntitlementInterval.all(
                        of: plan.lineBefore(id),
                        catalog: plan.catalogBefore,
                        policy: policy
                    ),
                    after: after
                )
            }
        }
        steps += changes.steps
        steps += plan.historyChanges.steps
        return steps
    }
}

extension AppendRequest {
    fileprivate var statement: StatementRecord? {
        if case .statement(let statement, _) = self { statement } else { nil }
    }

    fileprivate var claim: AccountID? {
        if case .statement(_, let claim) = self { claim } else { nil }
    }

    fileprivate var line: LineID? {
        if case .statement(let statement, _) = self { statement.line } else { nil }
    }

    fileprivate var command: AccountCommand? {
        if case .command(let command) = self { command } else { nil }
    }

    fileprivate var identity: [UInt8]? {
        if case .statement(let statement, _) = self { statement.identity } else { nil }
    }

    fileprivate var evidenceDigests: [[UInt8]] {
        if case .statement(let statement, _) = self { statement.evidence.map(\.digest) } else { [] }
    }

    /// The accounts that the request names, by environment; an erasure has its own way.
    fileprivate var accounts: [AppendPlan.AccountKey] {
        switch self {
        case .statement(let statement, let claim):
            (statement.namedAccounts.union([claim].compactMap(\.self))).map {
                AppendPlan.AccountKey(environment: statement.environment, account: $0)
            }
        case .command(let command) where command.action != .erase:
            command.namedAccounts.map { AppendPlan.AccountKey(environment: command.environment, account: $0) }
        case .command, .catalog: []
        }
    }

    fileprivate var erasedAccount: AccountID? {
        guard case .command(let command) = self, command.action == .erase, case .account(let account) = command.subject
        else { return nil }
        return account
    }
}
