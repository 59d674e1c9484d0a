import EntitlementDomain
import EventStore
import JSON
import Postgres
import Testing

/// Signed texts that name accounts, when some of these are erased.
@Suite struct SealedTextTests {
    /// Whoever of the two was heard of first: one seal lies inside of the other.
    @Test(arguments: [Sample.account, Sample.otherAccount])
    func aTextOfTwoAccountsIsErasedWithEither(erased: AccountID) async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            try await appendTextOfBoth(store)
            #expect(try await verify(database).problem == nil)
            _ = try await store.append(.command(Sample.erasure(of: erased)))
            let report = try await verify(database)
            #expect(report.problem == nil, "\(report.problem.map { "\($0)" } ?? "")")
            #expect(report.erasedCount == 1)
        }
    }

    /// A key that is lost without an erasure is damage, also where the seal lies inside of another one.
    @Test(arguments: [Sample.account, Sample.otherAccount])
    func aLostKeyIsNoErasure(lost: AccountID) async throws {
        try await StoreDatabase.with { database in
            try await appendTextOfBoth(database.makeStore())
            try await database.owner { try $0.execute("DELETE FROM entitled.account_names WHERE account = '\(lost)'") }
            #expect(try await verify(database).problem?.kind == .evidenceMismatch)
        }
    }

    @Test func aTextThatNamesTheClaimantAnywhereIsSealed() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            let payload: JSONValue = ["transaction": ["note": .string(" {\(Sample.account)}")]]
            let statement = Sample.statement(
                StatementFacts(transaction: Sample.month("1")),
                name: "1",
                payload: payload.canonicalBytes()
            )
            _ = try await store.append(.statement(statement, claim: Sample.account))
            let isSealed = "SELECT count(*) FROM entitled.evidence WHERE get_byte(content, 0) = 3"
            #expect(try await database.count(isSealed) == 1)
            _ = try await store.append(.command(Sample.erasure(of: Sample.account)))
            let report = try await verify(database)
            #expect(report.problem == nil && report.erasedCount == 1)
        }
    }

    /// Two accounts, and a text that names both of them.
    private func appendTextOfBoth(_ store: PostgresEventStore) async throws {
        for (number, account) in [Sample.account, Sample.otherAccount].enumerated() {
            _ = try await store.append(.statement(Sample.upload(Sample.month("\(number)")), claim: account))
        }
        let payload: JSONValue = [
            "renewalInfo": ["appAccountToken": .string(Sample.otherAccount.description)],
            "transaction": ["appAccountToken": .string(Sample.account.description)],
        ]
        let both = Sample.statement(
            StatementFacts(transaction: Sample.month("both", token: Sample.account)),
            name: "both",
            payload: payload.canonicalBytes()
        )
        _ = try await store.append(.statement(both, claim: nil))
    }

    private func verify(_ database: StoreDatabase) async throws -> ChainReport {
        try await ChainVerifier().verify(
            PostgresConfiguration(connectionString: database.ownerConnectionString),
            sessions: 3
        )
    }
}
