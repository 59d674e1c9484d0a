import EntitlementDomain
import Postgres

/// The facts of the accounts that claim purchases in a group, as the group leaves them. They are read in its transaction,
/// so that whoever hands in a purchase is answered without another one.
struct Claimants {
    /// The places of the requests in the group, each with the pseudonym of its account.
    private var known: [(request: Int, key: AppendPlan.AccountKey)] = []
    /// Accounts that got their names in this group: all that they have is in the plan.
    private var new: [Int: Account] = [:]

    /// $1 pseudonyms, $2 environments.
    private static let find = PreparedStatement(
        """
        SELECT k.number, a.state, \(LineRow.columns)
        FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS k (account, environment, number)
        LEFT JOIN entitled.accounts a ON a.account = k.account AND a.environment = k.environment
        LEFT JOIN entitled.lines l ON l.owner = k.account AND l.environment = k.environment
        """
    )

    /// - Parameter asking: the places of the requests whose account is asked for.
    init(_ asking: Set<Int>, _ requests: [AppendRequest], _ outcomes: [AppendOutcome], _ plan: AppendPlan) {
        if asking.isEmpty { return }
        let names = plan.context.names
        let created = Set(names.created.map(\.pseudonym))
        var lines: [AppendPlan.AccountKey: [LineState]] = [:]
        for line in plan.context.lines.values {
            guard let owner = line.owner, created.contains(owner) else { continue }
            lines[AppendPlan.AccountKey(environment: line.id.environment, account: owner), default: []].append(line)
        }
        for request in asking.sorted() where outcomes[request].refusal == nil {
            guard case .statement(let statement, let claim?) = requests[request] else { continue }
            let environment = statement.environment
            let account = AppendPlan.AccountKey(environment: environment, account: claim)
            guard let pseudonym = names.pseudonym(of: account) else { continue }
            let key = AppendPlan.AccountKey(environment: environment, account: pseudonym)
            if created.contains(pseudonym) {
                new[request] = Account(lines: lines[key] ?? [], state: plan.account(key))
            } else {
                known.append((request, key))
            }
        }
    }

    /// What reads the others, behind everything that the group writes; nil when there is none.
    var step: PostgresPipelineStep? {
        if known.isEmpty { return nil }
        return PostgresPipelineStep(
            Self.find,
            [.uuidArray(known.map(\.key.account.uuid)), .textArray(known.map(\.key.environment.rawValue))]
        )
    }

    /// Puts the facts into the outcomes.
    ///
    /// - Parameter result: of `step`.
    func note(_ result: PostgresResult?, of plan: AppendPlan, in outcomes: inout [AppendOutcome]) throws {
        var accounts = new
        if let result {
            var found: [Int: (lines: [LineState], state: AccountState)] = [:]
            for row in result.rows {
                let request = known[Int(try result.int64(row, 0)) - 1].request
                if found[request] == nil {
                    found[request] = ([], try AccountRow.state(try result.optionalBytes(row, 1)))
                }
                if try !result.isNull(row, 2) { found[request]?.lines.append(try LineRow.read(result, row, from: 2)) }
            }
            accounts.merge(found.mapValues { Account(lines: $0.lines, state: $0.state) }) { $1 }
        }
        for (request, account) in accounts {
            outcomes[request].claimant = Snapshot(
                account: account,
                catalog: plan.catalog,
                position: plan.head.logPosition
            )
        }
    }
}
