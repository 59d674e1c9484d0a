import EntitlementDomain
import Postgres

/// The way back: accounts for the pseudonyms in what is read. The pseudonym of an erased account stands for itself.
enum NameReader {
    /// The accounts behind pseudonyms, as far as there are any.
    static func accounts(
        _ pseudonyms: Set<AccountID>,
        _ session: PostgresSession
    ) throws -> [AccountID: AccountID] {
        if pseudonyms.isEmpty { return [:] }
        return try accounts(session.query(NameStatements.findAccounts, [.uuidArray(pseudonyms.map(\.uuid))]))
    }

    /// Reads rows of `NameStatements.findAccounts`.
    static func accounts(_ found: PostgresResult) throws -> [AccountID: AccountID] {
        var accounts: [AccountID: AccountID] = [:]
        for row in found.rows { accounts[AccountID(try found.uuid(row, 0))] = AccountID(try found.uuid(row, 1)) }
        return accounts
    }

    /// The pseudonyms of many accounts in one environment, as far as they have one.
    static func pseudonyms(
        of accounts: Set<AccountID>,
        in environment: StoreEnvironment,
        _ session: PostgresSession
    ) throws -> [AccountID: AccountID] {
        let found = try session.query(
            NameStatements.findManyPseudonyms,
            [.uuidArray(accounts.map(\.uuid)), .text(environment.rawValue)]
        )
        var pseudonyms: [AccountID: AccountID] = [:]
        for row in found.rows { pseudonyms[AccountID(try found.uuid(row, 0))] = AccountID(try found.uuid(row, 1)) }
        return pseudonyms
    }

    /// The pseudonyms of an account, in one environment or in all.
    static func pseudonyms(
        of account: AccountID,
        in environment: StoreEnvironment?,
        _ session: PostgresSession
    ) throws -> Set<AccountID> {
        let found = try session.query(
            NameStatements.findPseudonyms,
            [.uuid(account.uuid), environment.map { .text($0.rawValue) } ?? .null]
        )
        return Set(try found.rows.map { AccountID(try found.uuid($0, 0)) })
    }
}
