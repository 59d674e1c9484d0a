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
                var (decision, written) = try write(context, &random, &knownChains, session)
                if !decision.long.isEmpty {
                    // What was decided on their heads does not count.
                    try LineHistory.complete(decision.long, in: &context, session)
                    continue
                }
                let plan = decision.plan
                for index in decision.outcomes.indices { decision.outcomes[index].head = plan.head.logPosition }
                let claimants = Claimants(asking, requests, decision.outcomes, plan)
                return (
                    written.steps + [claimants.step].compactMap(\.self),
                    (outcomes: decision.outcomes, plan: plan, written: written, claimants: claimants)
                )
            }
        }
        let facts = result.claimants.facts(result.claimants.step == nil ? nil : last.popLast())
        var accounts = result.written.accounts
        if result.written.namesAccounts, let found = last.last { accounts = try NameReader.accounts(found) }
        let end = FeedPosition(result.plan.head.logPosition, ordinal: result.written.feedOrdinal)
        return (result.outcomes, AppendedChanges(result.plan, accounts: accounts, feedEnd: end), facts)
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
