package import EntitlementDomain
package import X509

/// A load of purchases that follows from its seed: every account buys one subscription and renews it some times.
///
/// Ids, accounts and dates of a request follow from seed and index alone, so any part of a plan can be made by itself
/// and in parallel, and plans with different seeds share no account. Only the signatures differ from run to run.
package struct LoadPlan: Sendable {
    /// The number of accounts.
    package let accounts: Int
    package let seed: UInt64
    /// The periods each account buys, the first purchase included.
    package var periods = 1
    /// The first purchases lie in the 28 days from here on.
    package var start = Instant(milliseconds: 1_767_225_600_000)
    package var environment = StoreEnvironment.production
    /// An auto-renewable product, and its group; its periods are taken to be months.
    package var productID = "pro.monthly"
    package var subscriptionGroup = "plans"
    package var bundleID = StatementDefaults.bundleID
    package var appAppleID = StatementDefaults.appAppleID

    /// A plan of one purchase for each account.
    package init(accounts: Int, seed: UInt64) {
        self.accounts = accounts
        self.seed = seed
    }

    /// The number of requests: first all first purchases, then all first renewals, and so on.
    package var requestCount: Int { accounts * periods }

    /// The account with this number, 0 for the first.
    package func account(_ number: Int) -> AccountID {
        var random = random(for: number)
        return AccountID(
            high: random.next() & ~0xF000 | 0x4000,
            low: random.next() & ~0xC000_0000_0000_0000 | 0x8000_0000_0000_0000
        )
    }

    /// Signs one request.
    ///
    /// Throws only when libcrypto fails.
    package func request(
        _ index: Int,
        as kind: LoadKind,
        signedBy signer: StatementSigner
    ) throws(X509Error) -> LoadRequest {
        precondition((0..<requestCount).contains(index), "request \(index) of a plan of \(requestCount)")
        let (period, number) = index.quotientAndRemainder(dividingBy: accounts)
        let account = account(number)
        let purchase = purchase(number, period: period, account: account)
        let body =
            switch kind {
            case .notification: try notification(index, purchase, isRenewal: period > 0, signer)
            case .upload: try upload(index, purchase, account: account, signer)
            }
        return LoadRequest(
            index: index,
            kind: kind,
            account: account,
            originalTransactionID: transactionID(number, period: 0),
            transactionID: transactionID(number, period: period),
            expiresAt: date(number, period: period + 1),
            body: body
        )
    }

    /// Signs many requests, in the order of their indices, on several cores.
    ///
    /// Throws what signing throws, and `CancellationError`.
    package func requests(
        _ indices: Range<Int>,
        as kind: LoadKind,
        signedBy signer: StatementSigner,
        workers: Int = 2
    ) async throws -> [LoadRequest] {
        let share = max((indices.count + workers - 1) / max(workers, 1), 1)
        let parts = stride(from: indices.lowerBound, to: indices.upperBound, by: share).map {
            $0..<min($0 + share, indices.upperBound)
        }
        return try await withThrowingTaskGroup(of: (Int, [LoadRequest]).self) { group in
            for (place, part) in parts.enumerated() {
                group.addTask {
                    var requests: [LoadRequest] = []
                    requests.reserveCapacity(part.count)
                    for index in part {
                        try Task.checkCancellation()
                        requests.append(try request(index, as: kind, signedBy: signer))
                    }
                    return (place, requests)
                }
            }
            var made: [Int: [LoadRequest]] = [:]
            for try await (place, requests) in group { made[place] = requests }
            return parts.indices.flatMap { made[$0] ?? [] }
        }
    }

    // MARK: What follows from the seed

    private func random(for number: Int) -> SeededRandom {
        var mixer = SeededRandom(seed: seed)
        return SeededRandom(seed: mixer.next() &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
    }

    /// Eighteen digits: six from the seed, nine for the account, three for the period.
    package func transactionID(_ number: Int, period: Int) -> String {
        var mixer = SeededRandom(seed: seed)
        let digits = 100_000 + mixer.next() % 900_000
        return String(digits * 1_000_000_000_000 + UInt64(number) * 1_000 + UInt64(period))
    }

    func date(_ number: Int, period: Int) -> Instant {
        var random = random(for: number)
        let offset = Int64(random.next() % (28 * 86_400)) * 1_000
        return start.advanced(byMilliseconds: offset).adding(CalendarDuration(months: period))
    }
}
