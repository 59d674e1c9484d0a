import EntitlementDomain
import Postgres

/// The accounts that claim purchases in a group, and what they have when it ends. That is read in the group's transaction,
/// so that whoever hands in a purchase is answered without another one; it is taken apart by those who asked.
struct Claimants {
    /// What was found of one account.
    struct Facts: Sendable {
        fileprivate enum Source {
            /// All that it has is in the plan.
            case plan(Account)
            case rows(PostgresResult, [Int])
        }

        fileprivate let source: Source
        fileprivate let catalog: Catalog
        fileprivate let position: LogPosition

        /// - Throws: `StoreError.failed` for rows that this version cannot read.
        func snapshot() throws -> Snapshot {
            switch source {
            case .plan(let account): Snapshot(account: account, catalog: catalog, position: position)
            case .rows(let result, let rows):
                Snapshot(
                    account: try AccountRow.account(result, rows, stateAt: 1),
                    catalog: catalog,
                    position: position
                )
            }
        }
    }

    /// Accounts that have to be read, by pseudonym, and the requests that ask for them.
    private var known: [(key: AppendPlan.AccountKey, requests: [Int])] = []
    /// Accounts that got their names in this group: all that they have is in the plan.
    private var new: [Int: Account] = [:]
    private let catalog: Catalog
    private let position: LogPosition

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
        (catalog, position) = (plan.catalog, plan.head.logPosition)
        if asking.isEmpty { return }
        let names = plan.context.names
        let created = Set(names.created.map(\.pseudonym))
        let lines = Self.lines(of: created, plan)
        var places: [AppendPlan.AccountKey: Int] = [:]
        for request in asking.sorted() where outcomes[request].refusal == nil {
            guard case .statement(let statement, let claim?) = requests[request] else { continue }
            let account = AppendPlan.AccountKey(environment: statement.environment, account: claim)
            guard let pseudonym = names.pseudonym(of: account) else { continue }
            let key = AppendPlan.AccountKey(environment: statement.environment, account: pseudonym)
            if created.contains(pseudonym) {
                new[request] = Account(lines: lines[key] ?? [], state: plan.account(key))
            } else if let place = places[key] {
                known[place].requests.append(request)
            } else {
                places[key] = known.count
                known.append((key, [request]))
            }
        }
    }

    private static func lines(
        of owners: Set<AccountID>,
        _ plan: AppendPlan
    ) -> [AppendPlan.AccountKey: [LineState]] {
        var lines: [AppendPlan.AccountKey: [LineState]] = [:]
        for line in plan.context.lines.values {
            guard let owner = line.owner, owners.contains(owner) else { continue }
            lines[AppendPlan.AccountKey(environment: line.id.environment, account: owner), default: []].append(line)
        }
        return lines
    }

    /// What reads them, behind everything that the group writes; nil when nobody has to be read.
    var step: PostgresPipelineStep? {
        if known.isEmpty { return nil }
        return PostgresPipelineStep(
            Self.find,
            [.uuidArray(known.map(\.key.account.uuid)), .textArray(known.map(\.key.environment.rawValue))]
        )
    }

    /// What was found, by the requests' places. The group is durable by now, so nothing here may fail.
    ///
    /// - Parameter result: of `step`.
    func facts(_ result: PostgresResult?) -> [Int: Facts] {
        var facts = new.mapValues { Facts(source: .plan($0), catalog: catalog, position: position) }
        guard let result else { return facts }
        var rows: [[Int]] = Array(repeating: [], count: known.count)
        for row in result.rows {
            if let number = try? result.int64(row, 0), rows.indices.contains(Int(number) - 1) {
                rows[Int(number) - 1].append(row)
            }
        }
        for (account, rows) in zip(known, rows) where !rows.isEmpty {
            for request in account.requests {
                facts[request] = Facts(source: .rows(result, rows), catalog: catalog, position: position)
            }
        }
        return facts
    }
}
