import EntitlementDomain
import TestKit

/// Makes histories that the App Store could have told, from a seed.
enum HistoryGenerator {
    static let origin = Instant(iso8601: "2026-01-01T00:00:00Z")!

    static func history(seed: UInt64) -> History {
        var random = SeededGenerator(seed: seed)
        var history = History()
        history.policy = policy(&random)
        repeat {
            if random.chance(3, in: 4) { addSubscription("1001", .purchased, to: &history, &random) }
            if random.chance(1, in: 5) { addSubscription("4001", .familyShared, to: &history, &random) }
            if random.chance(1, in: 3) { addOneTime("2001", "pro.lifetime", to: &history, &random) }
            for number in 0..<(random.chance(1, in: 3) ? random.number(1...3) : 0) {
                let product = random.pick(["pass.30d", "pass.30d", "pass.7d"])
                addOneTime(String(3001 + 10 * number), product, to: &history, &random)
            }
            for number in 0..<(random.chance(1, in: 3) ? random.number(1...3) : 0) {
                addOneTime(String(5001 + 10 * number), random.pick(["coins.100", "bundle.7"]), to: &history, &random)
            }
        } while history.statements.isEmpty
        // Some statements never arrive, and some do not say all.
        if random.chance(1, in: 3) { history.statements.removeAll { _ in random.chance(1, in: 8) } }
        if random.chance(1, in: 10) { blur(&history, &random) }
        return history
    }

    /// Takes members away that the App Store may leave out, or should not.
    private static func blur(_ history: inout History, _ random: inout SeededGenerator) {
        for index in history.statements.indices {
            // The catalog tells the kind of a purchase as well.
            if random.chance(1, in: 3) { history.statements[index].transaction?.type = nil }
        }
        // A subscription period without an end is malformed, in all its versions.
        guard random.chance(1, in: 3), let victim = history.statements.first?.transaction else { return }
        for index in history.statements.indices
        where history.statements[index].transaction?.transactionID == victim.transactionID {
            history.statements[index].transaction?.expiresAt = nil
            history.statements[index].transaction?.type = victim.type
        }
    }

    /// A history that the App Store would not tell: dates and members of its statements are mixed up. It keeps the laws
    /// all the same, whatever the answers are.
    static func wildHistory(seed: UInt64) -> History {
        var history = history(seed: seed)
        var random = SeededGenerator(seed: ~seed)
        let moments = history.statements.flatMap { statement in
            [statement.transaction?.signedAt, statement.transaction?.purchasedAt, statement.transaction?.revokedAt]
                .compactMap(\.self)
        }
        guard !moments.isEmpty else { return history }
        for index in history.statements.indices {
            for _ in 0..<random.number(0...2) {
                let moment = random.pick(moments)
                switch random.number(0...10) {
                case 0: history.statements[index].transaction?.signedAt = moment
                case 1: history.statements[index].transaction?.purchasedAt = moment
                case 2: history.statements[index].transaction?.expiresAt = random.chance(1, in: 2) ? nil : moment
                case 3: history.statements[index].transaction?.revokedAt = random.chance(1, in: 2) ? nil : moment
                case 4: history.statements[index].transaction?.isUpgraded = random.chance(1, in: 2)
                case 5: history.statements[index].transaction?.webOrderLineItemID = random.pick([nil, "w1", "w2"])
                case 6: history.statements[index].transaction?.productID = random.pick(SubscriptionStory.products)
                case 7: history.statements[index].transaction?.appAccountToken = History.otherAccount
                case 8: history.statements[index].renewal?.signedAt = moment
                case 9: history.statements[index].renewal?.gracePeriodExpiresAt = moment
                default: history.statements[index].renewal?.renewsAt = moment
                }
            }
        }
        return history
    }

    private static func policy(_ random: inout SeededGenerator) -> Policy {
        var policy = Policy()
        guard random.chance(1, in: 2) else { return policy }
        if random.chance(1, in: 3) { policy.refundAccess = .endOfPeriod }
        if random.chance(1, in: 3) { policy.renewalLeeway = CalendarDuration(milliseconds: 6 * Span.hour) }
        if random.chance(1, in: 4) { policy.graceWithoutDate = CalendarDuration(milliseconds: 3 * Span.day) }
        if random.chance(1, in: 3) { policy.negativeBalance = .floorAtZero }
        return policy
    }

    private static func addSubscription(
        _ id: String,
        _ ownership: Ownership,
        to history: inout History,
        _ random: inout SeededGenerator
    ) {
        let line = History.line(id, ownership)
        let token = own(line, in: &history, &random)
        var story = SubscriptionStory(
            line: line,
            start: start(&random),
            token: token,
            hasLineItems: random.chance(3, in: 4)
        )
        for _ in 0..<random.number(1...9) { story.goOn(&random) }
        history.statements += story.statements
    }

    private static func addOneTime(
        _ id: String,
        _ product: String,
        to history: inout History,
        _ random: inout SeededGenerator
    ) {
        let line = History.line(id)
        let token = own(line, in: &history, &random)
        var story = OneTimeStory(line: line, productID: product, start: start(&random))
        story.tell(token: token, &random)
        history.statements += story.statements
    }

    private static func start(_ random: inout SeededGenerator) -> Instant {
        random.chance(1, in: 2)
            ? origin.advanced(byMilliseconds: Int64(random.number(0...60)) * Span.day)
            : random.instant(from: origin, to: origin.advanced(byMilliseconds: 60 * Span.day))
    }

    /// Gives a line to the account by its token, by a link, or not at all; family lines carry no token.
    private static func own(
        _ line: LineID,
        in history: inout History,
        _ random: inout SeededGenerator
    ) -> AccountID? {
        let link = History.Link(line: line, account: History.account, position: Int64(history.links.count + 1))
        if line.ownership == .familyShared {
            history.links.append(link)
            return nil
        }
        switch random.number(0...9) {
        case 0:
            history.links.append(link)
            return nil
        case 1:
            history.links.append(link)
            return History.otherAccount
        case 2: return History.otherAccount
        default: return History.account
        }
    }
}
