import EntitlementDomain
import Postgres
import X509

extension AppendGroup {
    /// What becomes of the group.
    struct Decision {
        var plan: AppendPlan
        /// One for each request, in their order.
        var outcomes: [AppendOutcome]
        /// The lines that have to be read whole before it counts.
        var long: Set<LineID>

        /// Whether there is something to be written.
        var hasEvents: Bool { long.isEmpty && !plan.rows.isEmpty }
    }

    /// What is left to do when the events are inserted.
    struct Written {
        /// The statements that travel with COMMIT.
        var steps: [PostgresPipelineStep] = []
        /// Whether the last of them finds the accounts behind the pseudonyms that the plan changed without knowing them.
        var namesAccounts = false
        /// Those accounts, as far as they are known already.
        var accounts: [AccountID: AccountID] = [:]
        /// The ordinal of the feed's last place.
        var feedOrdinal: Int64
    }

    /// Decides the group and inserts its events, and more where that cannot wait; nothing when lines have to be read whole
    /// first.
    func write(
        _ context: AppendPlan.Context,
        _ random: inout BufferedRandom,
        _ knownChains: inout Set<CertificateChain.ID>,
        _ session: PostgresSession
    ) throws -> (decision: Decision, written: Written) {
        var decision = isEventful(context) ? nil : decide(context, &random)
        if let decision {
            if !decision.hasEvents { return (decision, Written(feedOrdinal: context.feedEnd.ordinal)) }
            let (first, last) = (context.head.position, decision.plan.head.position)
            if AppendStatements.partition(of: first) != AppendStatements.partition(of: last) {
                try session.query(AppendStatements.ensurePartition, [.int8(last)])
            }
        }
        var written = Written(feedOrdinal: context.feedEnd.ordinal)
        // The server makes itself ready for the events while they are decided.
        try session.copyIn(EventCopy.command) { writer in
            let made = decision ?? decide(context, &random)
            decision = made
            if !made.hasEvents { return }
            for row in made.plan.rows { try EventCopy.write(row.row, hash: row.hash, to: writer) }
            try writer.send()
            let places = FeedPlaces(made.plan, readableFrom: recordedAt)
            written.feedOrdinal = places.lastOrdinal
            written.steps = try projectionSteps(made.plan, places, &knownChains)
        }
        guard let decision else { throw StoreError.failed("a group was written without having been decided") }
        if decision.hasEvents { try complete(&written, decision.plan, session) }
        return (decision, written)
    }

    /// Whether it is as good as certain that the group brings events, all of them into the partition of the last one.
    private func isEventful(_ context: AppendPlan.Context) -> Bool {
        let first = context.head.position
        // A statement brings two events at most: its own, and that its claim was taken. A command may bring more.
        return requests.count > context.knownStatements.count && requests.allSatisfy(\.isStatement)
            && AppendStatements.partition(of: first)
                == AppendStatements.partition(of: first + 2 * Int64(requests.count))
    }

    private func decide(_ context: AppendPlan.Context, _ random: inout BufferedRandom) -> Decision {
        var plan = AppendPlan(context)
        let outcomes = requests.map { request in
            plan.add(request) { TimeOrderedID.make(at: recordedAt, using: &random) }
        }
        let long = plan.divideLines()
        return Decision(plan: plan, outcomes: outcomes, long: long)
    }

    /// What is to be done about the events once they are inserted.
    private func complete(_ written: inout Written, _ plan: AppendPlan, _ session: PostgresSession) throws {
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
