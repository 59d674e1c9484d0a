import EntitlementDomain
import Postgres

/// What the commands of a group concern, read under the log's lock: accounts, their lines, lines named by id, and the
/// events of commands that the log has already.
struct CommandConcerns {
    var accounts: [AppendPlan.AccountKey: AccountState] = [:]
    var lines: [LineState] = []
    var knownCommands: [[UInt8]: AppendPlan.KnownCommand] = [:]

    /// $1 accounts, $2 environments.
    private static let findAccounts = PreparedStatement(
        """
        SELECT a.account, a.environment, a.state FROM unnest($1::uuid[], $2::text[]) AS k (account, environment)
        JOIN entitled.accounts a USING (account, environment)
        """
    )

    /// $1 owners, $2 environments.
    private static let findOwned = PreparedStatement(
        """
        SELECT \(LineRow.columns) FROM unnest($1::uuid[], $2::text[]) AS k (owner, environment)
        JOIN entitled.lines l USING (owner, environment)
        """
    )

    /// $1 original transaction ids, $2 environments.
    private static let findNamed = PreparedStatement(
        """
        SELECT \(LineRow.columns) FROM unnest($1::text[], $2::text[]) AS k (line_id, environment)
        JOIN entitled.lines l USING (line_id, environment)
        """
    )

    /// $1 identities.
    private static let findCommands = PreparedStatement(
        """
        SELECT s.statement_id, e.payload, e.command_id FROM entitled.statements s
        JOIN entitled.events e USING (position) WHERE s.statement_id = ANY($1::bytea[])
        """
    )

    /// - Parameter names: of the accounts that the commands name. An account without one concerns nothing yet.
    static func read(
        _ commands: [AccountCommand],
        _ names: NameBook,
        _ session: PostgresSession
    ) throws -> CommandConcerns {
        var concerns = CommandConcerns()
        if commands.isEmpty { return concerns }
        var accounts: Set<AppendPlan.AccountKey> = []
        var named: [(id: String, environment: StoreEnvironment)] = []
        var identities: [[UInt8]] = []
        for command in commands {
            switch command.subject {
            case .account(let account):
                let key = AppendPlan.AccountKey(environment: command.environment, account: account)
                for name in names.names(of: key) {
                    accounts.insert(AppendPlan.AccountKey(environment: name.key.environment, account: name.pseudonym))
                    if let identity = command.identity(for: name.pseudonym) { identities.append(identity) }
                }
            case .line(let id):
                named.append((id, command.environment))
                if let identity = command.identity { identities.append(identity) }
            }
        }
        let keys: [PostgresValue] = [
            .uuidArray(accounts.map(\.account.uuid)), .textArray(accounts.map(\.environment.rawValue)),
        ]
        let results = try session.pipeline([
            PostgresPipelineStep(findAccounts, keys),
            PostgresPipelineStep(findOwned, keys),
            PostgresPipelineStep(
                findNamed,
                [.textArray(named.map(\.id)), .textArray(named.map(\.environment.rawValue))]
            ),
            PostgresPipelineStep(findCommands, [.byteaArray(identities)]),
        ])
        for row in results[0].rows {
            let key = AppendPlan.AccountKey(
                environment: StoreEnvironment(rawValue: try results[0].text(row, 1)),
                account: AccountID(try results[0].uuid(row, 0))
            )
            concerns.accounts[key] = try AccountRow.state(try results[0].optionalBytes(row, 2))
        }
        for result in results[1...2] {
            for row in result.rows { concerns.lines.append(try LineRow.read(result, row)) }
        }
        for row in results[3].rows {
            concerns.knownCommands[try results[3].bytes(row, 0)] = AppendPlan.KnownCommand(
                payload: try results[3].json(row, 1),
                commandID: try results[3].optionalUuid(row, 2).map(AccountID.init)
            )
        }
        return concerns
    }
}
