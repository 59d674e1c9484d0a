import EventStore
import TestKit
import Testing

@testable import EntitlementDomain
@testable import EntitlementService

/// The cache by itself: what it gives, when it gives nothing, and how much memory it takes.
@Suite struct AnswerCacheTests {
    private static let now = Sample.day(0)

    private static func position(_ number: Int64, epoch: Int = 1) -> LogPosition {
        LogPosition(epoch: epoch, number: number)
    }

    private static func place(_ number: Int64, heardAt: ContinuousClock.Instant = .now) -> CachePlace {
        let basis = FollowedPage.Basis(catalogPosition: 0, tables: 0)
        return CachePlace(FeedPosition(position(number)), basis, heardAt: heardAt)
    }

    /// A cache that follows the feed, which was heard just now; a busy machine may take its time.
    private static func cache(
        at number: Int64 = 0,
        bytes: Int = 1 << 20,
        maximumLag: Duration = .seconds(3_600)
    ) -> AnswerCache {
        var configuration = CacheConfiguration()
        configuration.maximumBytes = bytes
        configuration.maximumLag = maximumLag
        let cache = AnswerCache(configuration)
        cache.begin(at: Self.place(number))
        return cache
    }

    private static func text(
        _ account: AccountID,
        _ number: Int64,
        at instant: Instant = AnswerCacheTests.now,
        rest: String = #""entitlements":[],"balances":{}"#
    ) -> String {
        #"{"position":"1:\#(number)","account":"\#(account)","environment":"Production","at":"\#(instant.iso8601)","#
            + rest + "}"
    }

    private static func insert(
        _ cache: AnswerCache,
        _ account: AccountID,
        _ number: Int64,
        rest: String = #""entitlements":[],"balances":{}"#,
        start: Instant = AnswerCacheTests.now,
        end: Instant? = nil,
        ticket: UInt64? = nil
    ) {
        let key = AnswerKey(account)
        guard let ticket = ticket ?? cache.ticket(key) else { return }
        let answer = Answer(instant: start, entitlements: [], balances: [:], nextChangeAt: end)
        let json = Array(text(account, number, at: start, rest: rest).utf8)
        cache.insert(json, answer, at: position(number), for: key, ticket: ticket)
    }

    private static func read(
        _ cache: AnswerCache,
        _ account: AccountID,
        at instant: Instant = AnswerCacheTests.now,
        _ time: ContinuousClock.Instant = .now,
        minimum: LogPosition? = nil
    ) -> String? {
        var bytes: [UInt8] = []
        let isThere = cache.write(AnswerKey(account), at: instant, time, minimum: minimum, to: &bytes) != nil
        return isThere ? String(decoding: bytes, as: UTF8.self) : nil
    }

    @Test(arguments: [
        #""entitlements":[],"balances":{}"#,
        #""entitlements":[{"entitlement":"pro","startsAt":"2026-04-01T00:00:00.000Z"}],"balances":{"coins":120}"#,
        #""a":"0012","b":"0","c":0,"d":-5,"e":1.5,"f":1e3,"g":"123456789012345678","h":"1234567890123456789""#,
        #""a":123456789012345678,"b":1234567890123456789,"c":[1,1,1],"d":["1","1"]"#,
        #""a":"2026-04-01T00:00:00.000Z","b":"2026-04-01T00:00:00.000Z","c":"2026-04-01T00:00:00.001Z""#,
        #""a":"2026-02-30T00:00:00.000Z","b":"2026-04-01T00:00:00Z","c":"2026-04-01T00:00:00.000+","d":"0001-01-01T00:00:00.000Z""#,
        #""a":"11111111-1111-4111-8111-11111111111A","b":"11111111-1111-4111-8111-11111111111a""#,
        #""a":"a \"quoted\" \\ text","b":"\\","c":"\"2026-04-01T00:00:00.000Z","d":"日本","e":"""#,
        #""position2":"1:7","at2":"x","nested":{"position":"1:7","account":"x","at":"y"}"#,
    ])
    func givesTheSameBytes(rest: String) {
        let cache = Self.cache()
        let later = Self.now.advanced(byMilliseconds: 12_345)
        // The first ones are kept as text, the later ones by their pattern.
        for number in 0..<4 {
            let account = Sample.account(number)
            Self.insert(cache, account, 0, rest: rest)
            #expect(Self.read(cache, account, at: later) == Self.text(account, 0, at: later, rest: rest))
        }
    }

    @Test func answersCarryThePositionUpToWhichTheyAreConfirmed() {
        let cache = Self.cache(at: 5)
        let account = Sample.account(1)
        Self.insert(cache, account, 7)
        // It was read ahead of the feed.
        #expect(Self.read(cache, account) == Self.text(account, 7))
        #expect(cache.confirm(Self.place(6)))
        #expect(Self.read(cache, account) == Self.text(account, 7))
        #expect(cache.confirm(Self.place(9)))
        #expect(Self.read(cache, account) == Self.text(account, 9))
        #expect(Self.read(cache, account, minimum: Self.position(9)) != nil)
        #expect(Self.read(cache, account, minimum: Self.position(10)) == nil)
        #expect(Self.read(cache, account, minimum: Self.position(3, epoch: 2)) == nil)
    }

    @Test func noAnswerOutlivesTheClocksNextChange() {
        let cache = Self.cache()
        let account = Sample.account(1)
        let end = Self.now.advanced(byMilliseconds: 1_000)
        Self.insert(cache, account, 0, end: end)
        #expect(Self.read(cache, account, at: end.advanced(byMilliseconds: -1)) != nil)
        #expect(Self.read(cache, account, at: end) == nil)
        // A clock that was set back asks about an instant that was never looked at.
        #expect(Self.read(cache, account, at: Self.now.advanced(byMilliseconds: -1)) == nil)
    }

    @Test func aSnapshotFromBeforeAChangeIsNotKeptAfterIt() {
        let cache = Self.cache()
        let account = Sample.account(1)
        let change = AccountChange(account: account, environment: .production, position: Self.position(4))
        Self.insert(cache, account, 3)
        cache.invalidate([change])
        #expect(Self.read(cache, account) == nil)
        Self.insert(cache, account, 3)
        #expect(Self.read(cache, account) == nil)
        Self.insert(cache, account, 4)
        #expect(Self.read(cache, account) == Self.text(account, 4))
        // The other environments are other accounts.
        cache.invalidate([AccountChange(account: account, environment: .sandbox, position: Self.position(9))])
        #expect(Self.read(cache, account) != nil)
    }

    @Test func aSnapshotAskedForBeforeEverythingWasDroppedIsNotKept() throws {
        let cache = Self.cache()
        let account = Sample.account(1)
        let ticket = try #require(cache.ticket(AnswerKey(account)))
        Self.insert(cache, account, 3)
        cache.begin(at: Self.place(0))
        #expect(Self.read(cache, account) == nil)
        Self.insert(cache, account, 5, ticket: ticket)
        #expect(Self.read(cache, account) == nil)
    }

    @Test func aSilentFeedEndsAllAnswers() {
        let cache = Self.cache(maximumLag: .seconds(60))
        let account = Sample.account(1)
        Self.insert(cache, account, 0)
        let soon = ContinuousClock.now + .seconds(30)
        let late = ContinuousClock.now + .seconds(61)
        #expect(Self.read(cache, account, at: Self.now, soon) != nil)
        #expect(Self.read(cache, account, at: Self.now, late) == nil)
        #expect(cache.confirm(Self.place(0, heardAt: late)))
        #expect(Self.read(cache, account, at: Self.now, late) != nil)
        cache.begin(at: nil)
        #expect(cache.ticket(AnswerKey(account)) == nil)
        #expect(cache.statistics.isReadingThrough)
    }

    @Test func anAppendOfAnotherEpochOrCatalogEndsTheFollowing() {
        let cache = Self.cache()
        let account = Sample.account(1)
        Self.insert(cache, account, 0)
        cache.invalidate([
            AccountChange(account: account, environment: .production, position: Self.position(1, epoch: 2))
        ])
        #expect(Self.read(cache, account) == nil)
        #expect(!cache.confirm(Self.place(0)))
    }

    @Test func memoryStaysWithinItsBoundAndWhatIsAskedForStays() {
        let bytes = 2 << 20
        let cache = Self.cache(bytes: bytes)
        let hot = (0..<200).map { Sample.account($0) }
        for account in hot { Self.insert(cache, account, 0) }
        var lost = 0
        for number in 1_000..<61_000 {
            Self.insert(cache, Sample.account(number), 0)
            if number % 200 == 0 { lost += hot.count { Self.read(cache, $0) == nil } }
        }
        let statistics = cache.statistics
        #expect(statistics.bytes <= bytes + 65_536)
        #expect(statistics.evictions > 20_000)
        #expect(statistics.answers > 10_000)
        #expect(lost == 0, "what is asked for between two cleanings has a second chance")
        #expect(Self.read(cache, Sample.account(60_999)) != nil)
    }

    @Test func isTheSameAsADictionaryUnderRandomUse() {
        let seed = SeededGenerator.seedOfThisRun("isTheSameAsADictionaryUnderRandomUse")
        var random = SeededGenerator(seed: seed)
        let cache = Self.cache(bytes: 1 << 20)
        var model: [AccountID: String] = [:]
        var hits = 0
        for step in 0..<60_000 {
            let account = Sample.account(Int.random(in: 0..<6_000, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                // Longer and shorter answers, some like many others, some like none.
                var rest = #""entitlements":[],"n":"\#(Int.random(in: 0..<1_000_000, using: &random))""#
                if step % 7 == 0 {
                    rest += #","text":"\#(String(repeating: "x", count: Int.random(in: 0..<2_000, using: &random)))""#
                }
                Self.insert(cache, account, 0, rest: rest)
                model[account] = Self.text(account, 0, rest: rest)
            case 5:
                let position = Self.position(0)
                cache.invalidate([AccountChange(account: account, environment: .production, position: position)])
                model[account] = nil
            default:
                guard let found = Self.read(cache, account) else { continue }
                hits += 1
                #expect(found == model[account], "seed \(seed), step \(step)")
            }
        }
        #expect(hits > 5_000)
        #expect(cache.statistics.evictions > 0)
    }
}
