package import EntitlementDomain
import JSON
import Synchronization

/// Credits: bought once, and spent one by one under keys of their own.
extension TrafficWorker {
    /// Spends one coin; a spend that was not answered is sent again under the same key until it is.
    mutating func spend() {
        let (number, isRepetition) = traffic.state.withLock { state in
            if let open = state.openSpends.popLast() { return (open, true) }
            defer { state.nextSpend += 1 }
            return (state.nextSpend, false)
        }
        let spender = number % Traffic.spenders
        guard hasCoins(spender) else {
            traffic.state.withLock { $0.openSpends.append(number) }
            return
        }
        let answer = call(
            "balances.spend",
            [
                "account": .string(traffic.spender(spender).description), "currency": "coins", "amount": 1,
                "idempotencyKey": .string("traffic-\(options.seed)-\(number)"),
            ]
        )
        traffic.state.withLock { state in
            if let answer, answer.isGood {
                state.record.spends[spender, default: 0] += 1
                if answer.json["result"]?["repetition"] == true, !isRepetition {
                    state.record.fault("wrong: spend \(number) is said to be a repetition")
                }
            } else {
                state.openSpends.append(number)
            }
        }
    }

    /// Sees to it that a spender's purchase of coins is in the log.
    private mutating func hasCoins(_ spender: Int) -> Bool {
        if traffic.state.withLock({ $0.spenders.contains(spender) }) { return true }
        let plan = traffic.plan
        let at = JSONValue(plan.date(Traffic.accounts - 1 - spender, period: 0).milliseconds)
        let id = plan.transactionID(Traffic.accounts - 1 - spender, period: 999)
        let account = JSONValue.string(traffic.spender(spender).description)
        let payload: JSONObject = [
            "transactionId": .string(id), "originalTransactionId": .string(id), "bundleId": .string(plan.bundleID),
            "productId": "coins.100", "purchaseDate": at, "originalPurchaseDate": at,
            "quantity": JSONValue(Int64(Traffic.coins / 100)), "type": "Consumable", "appAccountToken": account,
            "inAppOwnershipType": "PURCHASED", "transactionReason": "PURCHASE",
            "environment": .string(plan.environment.rawValue), "signedDate": at,
        ]
        guard let text = try? traffic.signer.sign(payload),
            call("transactions.submit", ["signedTransaction": .string(text), "account": account])?.isGood == true
        else { return false }
        traffic.state.withLock { _ = $0.spenders.insert(spender) }
        return true
    }
}

extension Traffic {
    /// The account of a spender.
    package func spender(_ number: Int) -> AccountID { plan.account(Self.accounts - 1 - number) }
}
