import EntitlementDomain

/// Makes a failing history as small as it can: statements are dropped, then what is left is simplified.
struct HistoryShrinker {
    /// Whether a smaller history still fails in the way that counts.
    var stillFails: (History) -> Bool

    func shrunk(_ history: History) -> History {
        var best = history
        var hasImproved = true
        while hasImproved {
            hasImproved = false
            for candidate in Self.smaller(best) where stillFails(candidate) {
                best = candidate
                hasImproved = true
                break
            }
        }
        return best
    }

    /// Everything that is one step simpler, the big steps first.
    private static func smaller(_ history: History) -> [History] {
        var candidates: [History] = []
        func add(_ change: (inout History) -> Void) {
            var candidate = history
            change(&candidate)
            if candidate.statements != history.statements || candidate.links != history.links
                || candidate.policy != history.policy
            {
                candidates.append(candidate)
            }
        }
        for line in history.lineIDs {
            add { $0.statements.removeAll { $0.line == line } }
        }
        for index in history.statements.indices.reversed() { add { $0.statements.remove(at: index) } }
        for index in history.links.indices { add { $0.links.remove(at: index) } }
        add { $0.policy = Policy() }
        add { $0.policy.refundAccess = .immediate }
        add { $0.policy.renewalLeeway = .zero }
        add { $0.policy.graceWithoutDate = .oneDay }
        add { $0.policy.negativeBalance = .allow }
        for index in history.statements.indices {
            if history.statements[index].transaction != nil, history.statements[index].renewal != nil {
                add { $0.statements[index].renewal = nil }
            }
            for step in transactionSteps {
                add { history in
                    guard var transaction = history.statements[index].transaction else { return }
                    step(&transaction)
                    history.statements[index].transaction = transaction
                }
            }
            for step in renewalSteps {
                add { history in
                    guard var renewal = history.statements[index].renewal else { return }
                    step(&renewal)
                    history.statements[index].renewal = renewal
                }
            }
        }
        return candidates
    }

    private static let transactionSteps: [@Sendable (inout TransactionFacts) -> Void] = [
        { $0.webOrderLineItemID = nil },
        { $0.isUpgraded = false },
        { ($0.revokedAt, $0.revocationKind, $0.revocationPercentage) = (nil, .full, nil) },
        { ($0.revocationKind, $0.revocationPercentage) = (.full, nil) },
        { $0.quantity = 1 },
        { $0.isRenewal = nil },
        { $0.subscriptionGroupID = nil },
        { $0.signedAt = max($0.purchasedAt, $0.revokedAt ?? $0.purchasedAt) },
    ]

    private static let renewalSteps: [@Sendable (inout RenewalFacts) -> Void] = [
        { $0.renewsAt = nil },
        { $0.autoRenewProductID = $0.productID },
        { $0.expirationIntent = nil },
        { $0.isInBillingRetry = false },
        { $0.status = $0.saysGracePeriod ? 4 : nil },
    ]
}
