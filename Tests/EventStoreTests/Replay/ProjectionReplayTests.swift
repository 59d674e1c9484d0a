import EntitlementDomain
import Foundation
import Postgres
import TestKit
import Testing

@testable import EventStore

/// Law 11: a fresh fold of the log differs in nothing from the projections, and what differs is named.
@Suite struct ProjectionReplayTests {
    @Test(arguments: [(Int64(1_000_000), 256 << 20), (5, 256 << 20), (5, 2_048)])
    func theLiveProjectionsAreTheFoldOfTheLog(bucketLength: Int64, memoryLimit: Int) async throws {
        let seed = SeededGenerator.seedOfThisRun("theLiveProjectionsAreTheFoldOfTheLog")
        try await RandomLog.with(seed) { database, store in
            let report = try await compare(database, bucketLength: bucketLength, memoryLimit: memoryLimit)
            #expect(report.isEqual, "seed \(seed): \(report.differences.prefix(3))")
            let position = try await store.position()
            #expect(report.position == position)
            #expect(report.eventCount == position.number)
            #expect(try await database.count("SELECT count(*) FROM entitled.lines") == report.lineCount)
            let accounts = ReferenceFold(try await database.events()).accountPositions
            #expect(report.accountCount == Int64(accounts.count))
            for account in RandomFacts.accounts {
                let one = try await compare(account, database)
                #expect(one.isEqual, "seed \(seed), \(account): \(one.differences.prefix(3))")
            }
        }
    }

    @Test func itSeesOneSnapshotOfBothWhileEventsCome() async throws {
        let seed = SeededGenerator.seedOfThisRun("itSeesOneSnapshotOfBothWhileEventsCome")
        try await RandomLog.with(seed) { database, store in
            let writer = Task {
                var work = RandomWork(seed: seed &+ 1)
                for number in 0..<100 { _ = try await store.append(work.request("meanwhile \(number)")) }
            }
            for _ in 0..<5 {
                let report = try await compare(database, bucketLength: 20)
                #expect(report.isEqual, "seed \(seed): \(report.differences.prefix(3))")
            }
            try await writer.value
        }
    }

    /// What is done to the projections, and the differences that must be named: table, field.
    static let damages: [(String, [(ProjectionDifference.Table, String)])] = [
        (
            "UPDATE entitled.lines SET owner = '\(Sample.otherAccount)' WHERE line_id = '1'", [(.lines, "owner")]
        ),
        ("UPDATE entitled.lines SET position = position + 1 WHERE line_id = '1'", [(.lines, "position")]),
        (
            """
            UPDATE entitled.lines SET state = (SELECT state FROM entitled.lines WHERE line_id = '2')
            WHERE line_id = '1'
            """, [(.lines, "transactions")]
        ),
        ("UPDATE entitled.lines SET state = '\\x63' WHERE line_id = '1'", [(.lines, "state")]),
        ("DELETE FROM entitled.lines WHERE line_id = '1'", [(.lines, "row")]),
        (
            """
            INSERT INTO entitled.lines SELECT environment, 'x', bundle_id, store, ownership, owner, position, state
            FROM entitled.lines WHERE line_id = '1'
            """, [(.lines, "row")]
        ),
        (
            "INSERT INTO entitled.former_owners SELECT owner, environment, line_id, bundle_id, store, ownership "
                + "FROM entitled.lines WHERE line_id = '1'", [(.formerOwners, "row")]
        ),
        (
            "UPDATE entitled.entitlements SET access_ends_at = NULL WHERE line_id = '1'", [(.entitlements, "row")]
        ),
        ("DELETE FROM entitled.entitlements WHERE line_id = '1'", [(.entitlements, "row")]),
        ("UPDATE entitled.accounts SET position = position - 1", [(.accounts, "position")]),
        (
            // A state without anything.
            "UPDATE entitled.accounts SET state = '\\x0100000000'", [(.accounts, "grants")]
        ),
        ("UPDATE entitled.accounts SET state = '\\x'", [(.accounts, "state")]),
        ("TRUNCATE entitled.accounts", [(.accounts, "row")]),
        ("DELETE FROM entitled.catalogs", [(.catalogs, "row")]),
        ("UPDATE entitled.catalogs SET catalog = '{}'", [(.catalogs, "row")]),
        (
            "DELETE FROM entitled.lines WHERE line_id = '1'; DELETE FROM entitled.entitlements WHERE line_id = '1'",
            [(.entitlements, "row"), (.lines, "row")]
        ),
    ]

    @Test(arguments: damages)
    func aDifferenceIsNamed(damage: String, expected: [(ProjectionDifference.Table, String)]) async throws {
        try await StoreDatabase.with { database in
            let store = try await smallLog(database)
            try await database.owner { try $0.execute(damage) }
            let report = try await compare(database)
            let found = report.differences.map { "\($0.table) \($0.field)" }.sorted()
            #expect(found == expected.map { "\($0.0) \($0.1)" }.sorted())
            #expect(report.differenceCount == Int64(expected.count))
            for difference in report.differences {
                #expect(difference.live != difference.replayed)
                #expect(
                    difference.table == .lines && difference.line?.originalTransactionID == "x"
                        || !difference.events.isEmpty
                )
                if difference.line?.originalTransactionID == "1" { #expect(difference.events == [2, 4]) }
            }
            // The account alone shows it as well, unless it is about something else.
            guard expected[0].0 != .catalogs else { return }
            let one = try await compare(Sample.account, database)
            for (table, field) in expected {
                #expect(one.differences.contains { $0.table == table && $0.field == field }, "\(one.differences)")
            }
            _ = store
        }
    }

    @Test func aCatalogOnItsWayIsNoDifference() async throws {
        try await StoreDatabase.with { database in
            let store = try await smallLog(database)
            let changed = try Sample.catalog(Sample.catalogText.replacing(#"["pro"]"#, with: #"["max"]"#))
            // As another instance leaves it that has not come to these lines yet.
            let rows = "SELECT * FROM entitled.entitlements"
            try await database.owner { try $0.execute("CREATE TABLE kept AS \(rows)") }
            let head = try await store.append(.catalog(changed.canonicalJSON)).head.number
            try await database.owner {
                try $0.execute(
                    """
                    TRUNCATE entitled.entitlements; INSERT INTO entitled.entitlements SELECT * FROM kept;
                    UPDATE entitled.catalog_walk SET previous_position = 1, catalog_position = \(head), is_done = false
                    """
                )
            }
            #expect(try await compare(database).isEqual)
            try await database.owner { try $0.execute("UPDATE entitled.catalog_walk SET is_done = true") }
            #expect(try await compare(database).differences.first?.table == .entitlements)
        }
    }

    @Test func whatAnAccountHasAtACutIsTheFoldUpToThere() async throws {
        let seed = SeededGenerator.seedOfThisRun("whatAnAccountHasAtACutIsTheFoldUpToThere")
        try await RandomLog.with(seed, requests: 60) { database, store in
            let head = try await store.position()
            for number in stride(from: 1, through: head.number, by: 7) {
                let cut = KnownAt.position(LogPosition(epoch: head.epoch, number: number))
                for account in RandomFacts.accounts.prefix(2) {
                    let report = try await compare(account, database, knownAt: cut)
                    #expect(report.isEqual, "seed \(seed), \(number): \(report.differences.prefix(2))")
                    #expect(report.position.number == number)
                }
            }
            // Who owned a line is lost: the cut before the transfer would leave it out.
            let owned = Sample.upload(Sample.month("owned", token: Sample.account))
            let last = KnownAt.position(try await store.append(.statement(owned, claim: nil)).head)
            #expect(try await compare(Sample.account, database, knownAt: last).isEqual)
            try await database.owner {
                try $0.execute("UPDATE entitled.lines SET owner = NULL; TRUNCATE entitled.former_owners")
            }
            #expect(try await compare(Sample.account, database, knownAt: last).differences.count > 0)
        }
    }

    @Test func aLongLogIsNotSearchedForOneAccount() async throws {
        try await StoreDatabase.with { database in
            _ = try await smallLog(database)
            try await database.owner { try $0.execute("TRUNCATE entitled.lines, entitled.former_owners") }
            var replay = AccountReplay(
                account: Sample.account,
                environment: .production,
                policy: Policy(),
                instant: Sample.day(1)
            )
            let configuration = PostgresConfiguration(connectionString: database.ownerConnectionString)
            #expect(try await replay.compare(configuration).differences.contains { $0.table == .lines })
            replay.scanLimit = 3
            let short = try await replay.compare(configuration)
            #expect(!short.isComplete)
            #expect(!short.differences.contains { $0.table == .lines })
        }
    }

    // MARK: Support

    /// A catalog, a purchase of line 1, one of line 2, a renewal of line 1, a grant.
    private func smallLog(_ database: StoreDatabase) async throws -> PostgresEventStore {
        let store = database.makeStore()
        _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
        for statement in [
            Sample.month("1", token: Sample.account), Sample.month("2", token: Sample.account), Sample.month("1", 1),
        ] {
            _ = try await store.append(.statement(Sample.upload(statement), claim: nil))
        }
        _ = try await store.append(
            .command(
                AccountCommand(
                    action: .issueGrant(entitlement: "max", startsAt: nil, endsAt: nil),
                    subject: .account(Sample.account),
                    environment: .production,
                    identity: nil,
                    payload: Array("{}".utf8)
                )
            )
        )
        return store
    }

    private func compare(
        _ database: StoreDatabase,
        bucketLength: Int64 = 16,
        memoryLimit: Int = 256 << 20
    ) async throws -> ReplayReport {
        var replay = ProjectionReplay(
            policy: Policy(),
            sessions: 3,
            workDirectory: FileManager.default.temporaryDirectory
        )
        replay.bucketLength = bucketLength
        replay.memoryLimit = memoryLimit
        return try await replay.compare(PostgresConfiguration(connectionString: database.ownerConnectionString))
    }

    private func compare(
        _ account: AccountID,
        _ database: StoreDatabase,
        knownAt: KnownAt? = nil
    ) async throws -> ReplayReport {
        try await AccountReplay(
            account: account,
            environment: .production,
            policy: Policy(),
            instant: Sample.day(40),
            knownAt: knownAt
        ).compare(PostgresConfiguration(connectionString: database.ownerConnectionString))
    }
}
