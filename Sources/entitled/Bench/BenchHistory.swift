import EntitlementDomain
import EventStore
import Simulator

/// A log of renewals that follows from its size alone: most lines have about the same number of periods; a few have 1, 12,
/// 100 and 1,000, so that the cost of a look-up can be compared.
struct BenchHistory: Sendable {
    /// Lines with one number of periods, one line an account.
    struct Kind: Sendable {
        var periods: Int64
        var firstAccount: Int
        var accounts: Int

        var events: Int64 { periods * Int64(accounts) }
        var range: Range<Int> { firstAccount..<(firstAccount + accounts) }
    }

    let kinds: [Kind]
    /// The instant that most last periods run beyond.
    let reference: Instant
    private let plan: LoadPlan

    /// - Parameter reference: now, about.
    init(accounts: Int, events: Int64, reference: Instant) {
        var kinds: [Kind] = []
        var account = 0
        var left = events
        func add(_ periods: Int64, _ count: Int) {
            kinds.append(Kind(periods: periods, firstAccount: account, accounts: count))
            account += count
            left -= periods * Int64(count)
        }
        let few = max(accounts / 1_000, 1)
        add(1, few)
        add(12, few)
        add(100, max(accounts / 10_000, 1))
        add(1_000, max(accounts / 100_000, 1))
        let others = max(accounts - account, 1)
        let periods = max(left / Int64(others), 1)
        let longer = Int(min(max(left - periods * Int64(others), 0), Int64(others)))
        add(periods + 1, longer)
        add(periods, others - longer)
        self.kinds = kinds.filter { $0.accounts > 0 }
        self.reference = reference
        plan = LoadPlan(accounts: account, seed: 7)
    }

    var accountCount: Int { kinds.reduce(0) { $0 + $1.accounts } }
    var eventCount: Int64 { kinds.reduce(0) { $0 + $1.events } }

    func account(_ number: Int) -> AccountID { plan.account(number) }

    /// What the log has an account under.
    func pseudonym(_ number: Int) -> AccountID {
        let account = plan.account(number)
        return AccountID(high: account.high ^ 0x5555_5555_5555_0555, low: account.low ^ 0x1555_5555_5555_5555)
    }

    /// The accounts of the lines with this many periods.
    func accounts(withPeriods periods: Int64) -> Range<Int> {
        kinds.first { $0.periods == periods }?.range ?? 0..<0
    }

    /// One event, 0 for the first: all first purchases of a kind, then all first renewals, and so on.
    func event(_ number: Int64) -> EventRecord {
        var number = number
        for kind in kinds {
            if number < kind.events {
                let (period, place) = number.quotientAndRemainder(dividingBy: Int64(kind.accounts))
                return event(kind.firstAccount + Int(place), period: period, of: kind.periods)
            }
            number -= kind.events
        }
        preconditionFailure("the log has no event with this number")
    }

    private static let day: Int64 = 86_400_000

    private func event(_ number: Int, period: Int64, of periods: Int64) -> EventRecord {
        // Many periods are short ones, or the first would lie before the App Store.
        let length = periods > 60 ? Self.day : 30 * Self.day
        let account = pseudonym(number)
        // The last period is running.
        let end = reference.advanced(byMilliseconds: length * Int64(1 + number % 28) / 30)
        let first = end.advanced(byMilliseconds: -periods * length)
        let start = first.advanced(byMilliseconds: period * length)
        let line = Self.id(number, 0)
        let id = Self.id(number, period)
        let isRenewal = period > 0
        var facts = TransactionFacts(
            transactionID: id,
            originalTransactionID: line,
            productID: "pro.monthly",
            type: .autoRenewable,
            signedAt: start,
            purchasedAt: start
        )
        facts.originalPurchasedAt = first
        facts.expiresAt = start.advanced(byMilliseconds: length)
        facts.webOrderLineItemID = id
        facts.isRenewal = isRenewal
        facts.appAccountToken = account
        facts.subscriptionGroupID = "plans"
        let random = UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(period)
        let notification = AccountID(high: random ^ 0x1234_5678_9ABC_DEF0, low: UInt64(number) << 20 | UInt64(period))
        return EventRecord(
            position: 0,
            eventID: TimeOrderedID.make(at: start),
            type: isRenewal ? .renewed : .purchased,
            store: .appStore,
            environment: .production,
            bundleID: DevEnvironment.bundleID,
            lineID: line,
            signedAt: start,
            recordedAt: reference,
            source: .notification,
            statementID: Self.bytes(notification),
            notificationType: isRenewal ? "DID_RENEW" : "SUBSCRIBED",
            notificationSubtype: isRenewal ? nil : "INITIAL_BUY",
            transaction: facts,
            renewal: RenewalFacts(
                signedAt: start,
                autoRenews: true,
                productID: "pro.monthly",
                autoRenewProductID: "pro.monthly",
                status: 1
            ),
            evidenceDigests: [Self.bytes(notification) + Self.bytes(notification)],
            payload: Self.payload(facts, notification, isRenewal: isRenewal)
        )
    }

    private static func bytes(_ id: AccountID) -> [UInt8] {
        [id.high, id.low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    }

    private static func id(_ number: Int, _ period: Int64) -> String {
        String(100_000_000_000_000 + Int64(number) * 10_000 + period)
    }

    /// As the payload of such a notification is stored: jsonb's own order of members.
    private static func payload(_ facts: TransactionFacts, _ id: AccountID, isRenewal: Bool) -> [UInt8] {
        let signed = facts.signedAt.milliseconds
        let bundle = DevEnvironment.bundleID
        let subtype = isRenewal ? "" : "\"subtype\": \"INITIAL_BUY\", "
        let text =
            "{\"renewalInfo\": {\"productId\": \"pro.monthly\", \"signedDate\": \(signed), "
            + "\"environment\": \"Production\", \"autoRenewStatus\": 1, \"autoRenewProductId\": \"pro.monthly\", "
            + "\"originalTransactionId\": \"\(facts.originalTransactionID)\"}, \"transaction\": "
            + "{\"type\": \"Auto-Renewable Subscription\", \"bundleId\": \"\(bundle)\", \"quantity\": 1, "
            + "\"productId\": \"pro.monthly\", \"signedDate\": \(signed), \"environment\": \"Production\", "
            + "\"expiresDate\": \((facts.expiresAt ?? facts.signedAt).milliseconds), \"purchaseDate\": \(signed), "
            + "\"transactionId\": \"\(facts.transactionID)\", "
            + "\"appAccountToken\": \"\(facts.appAccountToken?.description ?? "")\", "
            + "\"transactionReason\": \"\(isRenewal ? "RENEWAL" : "PURCHASE")\", \"inAppOwnershipType\": \"PURCHASED\", "
            + "\"webOrderLineItemId\": \"\(facts.transactionID)\", "
            + "\"originalPurchaseDate\": \((facts.originalPurchasedAt ?? facts.signedAt).milliseconds), "
            + "\"originalTransactionId\": \"\(facts.originalTransactionID)\", "
            + "\"subscriptionGroupIdentifier\": \"plans\"}, \"notification\": {\"data\": {\"status\": 1, "
            + "\"bundleId\": \"\(bundle)\", \"appAppleId\": \(DevEnvironment.appAppleID), "
            + "\"environment\": \"Production\"}, \(subtype)\"version\": \"2.0\", \"signedDate\": \(signed), "
            + "\"notificationType\": \"\(isRenewal ? "DID_RENEW" : "SUBSCRIBED")\", \"notificationUUID\": \"\(id)\"}}"
        return Array(text.utf8)
    }
}
