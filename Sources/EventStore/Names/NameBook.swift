import EntitlementDomain
import X509

/// The names of the accounts that a group of requests is about, as they were read under the log's lock and as the group
/// leaves them: the one place where accounts become pseudonyms on their way into the log.
///
/// A name that is made for a request stays only when the request comes into the log.
struct NameBook {
    typealias Key = AppendPlan.AccountKey

    /// Why a request about an account is refused.
    struct Erased: Error {}

    private var names: [Key: AccountName] = [:]
    /// Accounts that were erased; the environment `every` stands for all.
    private var erased: Set<Key> = []
    private var accounts: [AccountID: Key] = [:]
    private var pending: [Key] = []
    private let instant: Instant
    private var random: BufferedRandom

    /// New names, and names that the group erased.
    private(set) var created: [AccountName] = []
    private(set) var destroyed: [AccountName] = []
    /// Accounts that are to be recognised as erased from now on.
    private(set) var newlyErased: [Key] = []

    /// The environment that stands for all of them in an erasure.
    static let every = StoreEnvironment(rawValue: "")

    /// - Parameters:
    ///   - instant: when accounts that have no name yet get theirs.
    ///   - random: what their names are made from.
    init(at instant: Instant = .distantPast, random: BufferedRandom = BufferedRandom()) {
        (self.instant, self.random) = (instant, random)
    }

    // MARK: What is known

    /// Notes a name that is in the database.
    mutating func note(_ name: AccountName) {
        names[name.key] = name
        accounts[name.pseudonym] = name.key
    }

    /// Notes that an account was erased, in one environment or in `every` one.
    mutating func note(erased key: Key) {
        erased.insert(key)
    }

    func isErased(_ key: Key) -> Bool {
        names[key] == nil
            && (erased.contains(key) || erased.contains(Key(environment: Self.every, account: key.account)))
    }

    /// The pseudonym of an account that has one.
    func pseudonym(of key: Key) -> AccountID? { names[key]?.pseudonym }

    /// The account behind a pseudonym that this group has to do with.
    func account(of pseudonym: AccountID) -> AccountID? { accounts[pseudonym]?.account }

    /// The key for the signed texts of a pseudonym.
    ///
    /// Nil: it was erased.
    func evidenceKey(of pseudonym: AccountID) -> [UInt8]? { accounts[pseudonym].flatMap { names[$0]?.evidenceKey } }

    /// The names that an account has, in one environment or in `every` one, in the order of the environments.
    func names(of key: Key) -> [AccountName] {
        names.values
            .filter {
                $0.key.account == key.account
                    && (key.environment == Self.every || $0.key.environment == key.environment)
            }
            .sorted { $0.key.environment < $1.key.environment }
    }

    // MARK: Requests

    /// Begins a request: names that the one before it did not need are forgotten.
    mutating func begin() {
        for key in pending {
            if let name = names.removeValue(forKey: key) { accounts[name.pseudonym] = nil }
        }
        pending = []
    }

    /// Keeps the names that were made for the request: it is in the log now.
    mutating func keep() {
        created += pending.compactMap { names[$0] }
        pending = []
    }

    /// The statement as it goes into the log, with its claim. Tokens of erased accounts become `AccountID.erased`.
    ///
    /// - Throws: `Erased` when the account that claims was erased.
    mutating func translate(
        _ statement: StatementRecord,
        claim: AccountID?
    ) throws(Erased) -> (statement: StatementRecord, claim: AccountID?) {
        var others: [AccountID: AccountID] = [:]
        let named = statement.namedAccounts
        for token in named {
            let key = Key(environment: statement.environment, account: token)
            others[token] = isErased(key) ? .erased : pseudonym(for: key)
        }
        var claimed: AccountID?
        if let claim {
            claimed = try livingPseudonym(for: Key(environment: statement.environment, account: claim))
            others[claim] = claimed
        }
        var statement = statement
        if others.isEmpty { return (statement, nil) }
        if let token = statement.facts.transaction?.appAccountToken {
            statement.facts.transaction?.appAccountToken = others[token]
        }
        statement.mentions.replace(in: &statement.payload, by: others)
        // Whoever is replaced in the payload stands in the signed text too, also where no account is expected.
        let sealedFor = named.union(statement.mentions.ids).compactMap { others[$0] }.sorted()
        for index in statement.evidence.indices { statement.evidence[index].sealedFor = sealedFor }
        return (statement, claimed)
    }

    /// The command as it goes into the log.
    ///
    /// - Throws: `Erased` when an account that it names was erased.
    mutating func translate(_ command: AccountCommand) throws(Erased) -> AccountCommand {
        var command = command
        var others: [AccountID: AccountID] = [:]
        func key(_ account: AccountID) -> Key { Key(environment: command.environment, account: account) }
        if case .account(let account) = command.subject {
            let pseudonym = try livingPseudonym(for: key(account))
            others[account] = pseudonym
            command.identity = command.identity(for: pseudonym)
            command.subject = .account(pseudonym)
        }
        switch command.action {
        case .link(let account):
            let pseudonym = try livingPseudonym(for: key(account))
            others[account] = pseudonym
            command.action = .link(to: pseudonym)
        case .transfer(let account):
            let pseudonym = try livingPseudonym(for: key(account))
            others[account] = pseudonym
            command.action = .transfer(to: pseudonym)
        case .spend, .issueGrant, .revokeGrant, .placeHold, .liftHold, .erase: break
        }
        AccountMentions(in: command.payload).replace(in: &command.payload, by: others)
        return command
    }

    /// Destroys names, and sees to it that their account is recognised when it comes again.
    ///
    /// - Parameter key: the account, in one environment or in `every` one.
    mutating func erase(_ key: Key) {
        for name in names(of: key) {
            names[name.key] = nil
            if let index = created.firstIndex(of: name) {
                created.remove(at: index)
            } else {
                destroyed.append(name)
            }
        }
        if erased.insert(key).inserted { newlyErased.append(key) }
    }

    private mutating func livingPseudonym(for key: Key) throws(Erased) -> AccountID {
        if isErased(key) { throw Erased() }
        return pseudonym(for: key)
    }

    private mutating func pseudonym(for key: Key) -> AccountID {
        if let name = names[key] { return name.pseudonym }
        let name = AccountName.random(of: key, at: instant, using: &random)
        note(name)
        pending.append(key)
        return name.pseudonym
    }
}
