import EntitlementDomain
import JSON

/// The life of one account, from its first subscription to the present.
package struct StoryScript {
    private static let day: Int64 = 86_400_000
    private static let month = CalendarDuration(months: 1)
    /// Days of access that the App Store grants while it tries to charge again.
    private static let graceDays: Int64 = 16

    /// The events, in the order of their dates.
    package private(set) var steps: [StoryStep] = []
    private let setting: StorySetting
    private let cast: StoryCast
    private var random: SeededRandom
    private let line: String
    private var uuidCount = 0

    /// Writes the story.
    package init(_ setting: StorySetting, cast: StoryCast) {
        self.setting = setting
        self.cast = cast
        random = SeededRandom(seed: setting.seed)
        line = Self.id(&random)
        write()
    }

    private mutating func write() {
        let start = setting.now.advanced(byMilliseconds: -130 * Self.day)
        let ends = (1...4).map { start.adding(CalendarDuration(months: $0)) }
        let after = { (instant: Instant, days: Int64) in instant.advanced(byMilliseconds: days * Self.day) }

        let first = period(of: cast.plan, from: start, to: ends[0], id: line)
        steps.append(
            StoryStep(
                at: start,
                words: "buys \(cast.plan) in the app; the app's backend submits the transaction",
                statement: .upload(upload(first, at: start))
            )
        )
        tell(start, "the App Store confirms the purchase", "SUBSCRIBED", "INITIAL_BUY", first)
        var current = period(of: cast.plan, from: ends[0], to: ends[1])
        tell(ends[0], "the subscription renews", "DID_RENEW", nil, current)

        let failure = ends[1].advanced(byMilliseconds: 300_000)
        let grace = JSONValue(after(ends[1], Self.graceDays).milliseconds)
        tell(
            failure,
            "the card is declined; \(Self.graceDays) days of grace begin",
            "DID_FAIL_TO_RENEW",
            "GRACE_PERIOD",
            current,
            status: 4,
            renewalInfo: ["isInBillingRetryPeriod": true, "gracePeriodExpiresDate": grace]
        )
        current = period(of: cast.plan, from: ends[1], to: ends[2])
        tell(after(ends[1], 3), "the charge goes through after all", "DID_RENEW", "BILLING_RECOVERY", current)

        if let consumable = cast.consumable {
            let at = after(ends[1], 10)
            let purchase = oneTime(consumable, .consumable, at: at)
            tell(at, "buys \(consumable)", "ONE_TIME_CHARGE", nil, purchase, status: nil, renewalInfo: nil)
        }
        if let lifetime = cast.lifetime {
            let at = after(ends[1], 12)
            var purchase = oneTime(lifetime, .nonConsumable, at: at)
            tell(at, "buys \(lifetime)", "ONE_TIME_CHARGE", nil, purchase, status: nil, renewalInfo: nil)
            let refund = after(at, 2)
            purchase["revocationDate"] = JSONValue(refund.milliseconds)
            purchase["revocationReason"] = 0
            let words = "gets \(lifetime) refunded; the subscription goes on"
            tell(refund, words, "REFUND", nil, purchase, status: nil, renewalInfo: nil)
        }

        current = period(of: cast.plan, from: ends[2], to: ends[3])
        tell(ends[2], "the subscription renews", "DID_RENEW", nil, current)
        if let upgrade = cast.upgrade {
            let at = after(ends[2], 20)
            current = period(of: upgrade, from: at, to: at.adding(Self.month))
            tell(at, "upgrades to \(upgrade)", "DID_CHANGE_RENEWAL_PREF", "UPGRADE", current)
        } else {
            current = period(of: cast.plan, from: ends[3], to: ends[3].adding(Self.month))
            tell(ends[3], "the subscription renews", "DID_RENEW", nil, current)
        }
        tell(
            after(setting.now, -1),
            "turns renewal off; what is paid stays",
            "DID_CHANGE_RENEWAL_STATUS",
            "AUTO_RENEW_DISABLED",
            current,
            renewalInfo: ["autoRenewStatus": 0]
        )
    }

    // MARK: Transactions

    private mutating func period(of product: String, from start: Instant, to end: Instant, id: String? = nil)
        -> JSONObject
    {
        let isFirst = id != nil
        var transaction: JSONObject = [
            "transactionId": .string(id ?? Self.id(&random)),
            "originalTransactionId": .string(line),
            "webOrderLineItemId": .string(Self.id(&random)),
            "productId": .string(product),
            "purchaseDate": JSONValue(start.milliseconds),
            "expiresDate": JSONValue(end.milliseconds),
            "type": .string(ProductType.autoRenewable.appStoreName),
            "transactionReason": isFirst ? "PURCHASE" : "RENEWAL",
            "appAccountToken": .string(setting.account.description),
        ]
        if !isFirst, let first = steps.first {
            transaction["originalPurchaseDate"] = JSONValue(first.at.milliseconds)
        }
        if let group = cast.group { transaction["subscriptionGroupIdentifier"] = .string(group) }
        return transaction
    }

    private mutating func oneTime(_ product: String, _ type: ProductType, at: Instant) -> JSONObject {
        [
            "transactionId": .string(Self.id(&random)),
            "productId": .string(product),
            "purchaseDate": JSONValue(at.milliseconds),
            "type": .string(type.appStoreName),
            "appAccountToken": .string(setting.account.description),
        ]
    }

    /// Sixteen digits, as many as the App Store's own ids have.
    private static func id(_ random: inout SeededRandom) -> String {
        String(2_000_000_000_000_000 + random.next() % 1_000_000_000_000_000)
    }

    // MARK: Statements

    private func defaults(at: Instant) -> StatementDefaults {
        StatementDefaults(
            environment: .string(setting.environment.rawValue),
            bundleID: .string(setting.bundleID),
            signedDate: JSONValue(at.milliseconds)
        )
    }

    private func upload(_ transaction: JSONObject, at: Instant) -> DecodedUpload {
        DecodedUpload(
            transaction: defaults(at: at).transaction(transaction, products: CatalogProducts(.null)),
            account: setting.account
        )
    }

    private mutating func tell(
        _ at: Instant,
        _ words: String,
        _ type: String,
        _ subtype: String?,
        _ transaction: JSONObject,
        status: Int64? = 1,
        renewalInfo: JSONObject? = JSONObject()
    ) {
        let defaults = defaults(at: at)
        let transaction = defaults.transaction(transaction, products: CatalogProducts(.null))
        uuidCount += 1
        let notification = DecodedNotification(
            notificationType: .string(type),
            subtype: subtype.map(JSONValue.string),
            notificationUUID: .string(NotificationUUID.derived(fileName: line, deliveryID: "\(uuidCount)")),
            signedDate: defaults.signedDate,
            data: DecodedNotification.Body(
                environment: defaults.environment,
                appAppleID: JSONValue(setting.appAppleID),
                bundleID: defaults.bundleID,
                status: status.map { JSONValue($0) },
                transaction: transaction,
                renewalInfo: renewalInfo.map { defaults.renewalInfo($0, transaction: transaction) }
            )
        )
        steps.append(StoryStep(at: at, words: words, statement: .notification(notification)))
    }
}
