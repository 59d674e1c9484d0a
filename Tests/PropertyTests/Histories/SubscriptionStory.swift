import EntitlementDomain
import TestKit

/// One subscription line from its first purchase on, told by the App Store's own rules: what is true at the moment of a
/// signature is what the signed statement says.
struct SubscriptionStory {
    /// One paid period as the App Store holds it, under one transaction id or several.
    struct Period {
        /// What is true of it now; `transactionID` and `signedAt` are filled in by the signature.
        var truth: TransactionFacts
        var ids: [String]
        var length: Int64
    }

    enum Phase {
        case active, failing, ended
    }

    let line: LineID
    var statements: [SignedStatement] = []
    var periods: [Period] = []
    /// What is true of the renewal now.
    var renewal = RenewalFacts(signedAt: .distantPast, autoRenews: true)
    var phase = Phase.active
    /// The end of the grace period that runs, whether or not it was told.
    var graceUntil: Instant?
    var clock: Instant
    /// The token that new purchases carry.
    var token: AccountID?
    let hasLineItems: Bool
    private let firstID: Int
    private var lastNumber = 0

    init(line: LineID, start: Instant, token: AccountID?, hasLineItems: Bool) {
        self.line = line
        self.token = token
        self.hasLineItems = hasLineItems
        clock = start
        firstID = Int(line.originalTransactionID) ?? 1001
    }

    /// The last one is not in the catalog: it grants nothing, and takes its place in the line all the same.
    static let products = [
        "pro.monthly", "pro.monthly", "pro.yearly", "max.monthly", "max.monthly", "pro.quarter", "old.monthly",
    ]

    var current: Int { periods.count - 1 }
    var end: Instant { periods[current].truth.expiresAt ?? clock }

    /// The App Store's own summary at the clock's time: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    var status: Int {
        if periods[current].truth.revokedAt != nil { return 5 }
        switch phase {
        case .active: return 1
        case .failing: return graceUntil.map { clock < $0 } ?? false ? 4 : 3
        case .ended: return clock < end ? 1 : 2
        }
    }

    mutating func nextID() -> String {
        defer { lastNumber += 1 }
        return String(firstID + lastNumber)
    }

    /// Lets one more thing happen.
    mutating func goOn(_ random: inout SeededGenerator) {
        clock = clock.advanced(byMilliseconds: 1)
        guard !periods.isEmpty else { return buy(random.pick(Self.products), .initialBuy, &random) }
        let step = random.pick(weighted: choices)
        step(&self, &random)
    }

    private typealias Step = (inout SubscriptionStory, inout SeededGenerator) -> Void

    private var choices: [(weight: Int, element: Step)] {
        let always: [(weight: Int, element: Step)] = [
            (4, { $0.refund(olderOnly: true, &$1) }),
            (4, { $0.reverseRefund(&$1) }),
            (4, { $0.signAgain(&$1) }),
            (3, { $0.addTwin(&$1) }),
            (2, { $0.restateRefund(&$1) }),
        ]
        switch phase {
        case .active:
            return always + [
                (24, { $0.renew(&$1) }),
                (9, { $0.failWithGrace(&$1) }),
                (7, { $0.failWithoutGrace(&$1) }),
                (6, { $0.setAutoRenew(false, &$1) }),
                (3, { $0.setAutoRenew(true, &$1) }),
                (7, { $0.upgrade(&$1) }),
                (6, { $0.downgrade(&$1) }),
                (7, { $0.refund(olderOnly: false, &$1) }),
                (5, { $0.extend(&$1) }),
                (5, { $0.lapse(&$1) }),
            ]
        case .failing:
            return always + [
                (10, { $0.recover(&$1) }),
                (5, { $0.graceRunsOut(&$1) }),
                (4, { $0.lapse(&$1) }),
                (2, { $0.setAutoRenew(false, &$1) }),
                (2, { $0.refund(olderOnly: false, &$1) }),
            ]
        case .ended:
            return always + [(10, { $0.resubscribe(&$1) })]
        }
    }
}
