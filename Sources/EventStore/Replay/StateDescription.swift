import EntitlementDomain

/// Words for the parts of folded states, for whoever looks at a difference.
enum StateDescription {
    /// The parts of a line by name.
    static func parts(of line: LineState) -> [(name: String, text: String)] {
        [
            ("transactions", list(line.transactions.map(text))),
            ("renewals", list(line.renewals.map(text))),
            ("link", line.link.map { "\($0.account?.description ?? "nobody") by event \($0.position)" } ?? "none"),
            ("holds", list(line.holds.map(text))),
        ]
    }

    /// The parts of an account by name.
    static func parts(of account: AccountState) -> [(name: String, text: String)] {
        [
            (
                "grants",
                list(
                    account.grants.map { grant in
                        "\(grant.entitlement) from \(grant.startsAt.iso8601) to \(text(grant.endsAt))"
                            + (grant.revokedAt.map { ", revoked \($0.iso8601)" } ?? "")
                    }
                )
            ),
            ("holds", list(account.holds.map(text))),
            ("spends", list(account.spends.map { "\($0.units) \($0.currency) by event \($0.position)" })),
            ("erased", account.isErased ? "yes" : "no"),
        ]
    }

    static func text(_ interval: EntitlementInterval) -> String {
        var text =
            "\(interval.productID) from \(interval.startsAt.iso8601), access to \(Self.text(interval.accessEndsAt)), "
            + "paid to \(Self.text(interval.expiresAt))"
        if let revokedAt = interval.revokedAt { text += ", revoked \(revokedAt.iso8601)" }
        return text
    }

    private static func text(_ transaction: TransactionState) -> String {
        let facts = transaction.newest
        var text = "\(facts.transactionID) \(facts.productID) signed \(facts.signedAt.iso8601)"
        if let expiresAt = facts.expiresAt { text += " to \(expiresAt.iso8601)" }
        if let revokedAt = transaction.revokedAt { text += " revoked \(revokedAt.iso8601)" }
        return text
    }

    private static func text(_ renewal: RenewalFacts) -> String {
        let renews = renewal.autoRenews.map { $0 ? "renews" : "does not renew" } ?? "unknown"
        return "signed \(renewal.signedAt.iso8601) \(renews)" + (renewal.isInBillingRetry ? ", in billing retry" : "")
    }

    private static func text(_ hold: Hold) -> String {
        "\(hold.entitlement ?? "all") from \(hold.placedAt.iso8601)"
            + (hold.liftedAt.map { ", lifted \($0.iso8601)" } ?? "")
    }

    private static func text(_ instant: Instant?) -> String {
        instant?.iso8601 ?? "no end"
    }

    /// The last ones, which differ most often.
    private static func list(_ texts: [String]) -> String {
        let shown = 3
        if texts.isEmpty { return "none" }
        let last = texts.suffix(shown).joined(separator: "; ")
        return texts.count > shown ? "\(texts.count), the last: \(last)" : last
    }
}
