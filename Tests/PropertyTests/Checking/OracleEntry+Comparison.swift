import EntitlementDomain

extension OracleEntry {
    /// Whether the product's source says the same, as far as the rules say something.
    func agrees(with source: EntitlementSource) -> Bool {
        guard source.state == state, source.isInLeeway == isInLeeway, source.productID == productID,
            source.originalTransactionID == originalTransactionID, source.revokedAt == revokedAt
        else { return false }
        // What the end of a refunded pass is, the rules leave open.
        let isOpen = state == .revoked && source.productType == .nonRenewing
        if !isOpen, source.expiresAt != expiresAt { return false }
        if state == .inGracePeriod, source.gracePeriodExpiresAt != gracePeriodExpiresAt { return false }
        guard isActive else { return true }
        return source.willRenew == willRenew && source.pendingProductID == pendingProductID
    }
}

func text(_ account: AccountID?) -> String {
    account?.description ?? "nobody"
}

func text(_ entry: OracleEntry) -> String {
    var parts = [entry.state.rawValue, entry.productID, "ends \(entry.expiresAt?.iso8601 ?? "never")"]
    if entry.isInLeeway { parts.append("leeway") }
    if let date = entry.gracePeriodExpiresAt { parts.append("grace \(date.iso8601)") }
    if let date = entry.revokedAt { parts.append("revoked \(date.iso8601)") }
    if let date = entry.accessEnd { parts.append("access to \(date.iso8601)") }
    if let flag = entry.willRenew { parts.append("renews \(flag)") }
    if let pending = entry.pendingProductID { parts.append("pending \(pending)") }
    return "[" + parts.joined(separator: ", ") + "]"
}

func text(_ source: EntitlementSource?) -> String {
    guard let source else { return "[none]" }
    return text(
        OracleEntry(
            state: source.state,
            isInLeeway: source.isInLeeway,
            productID: source.productID ?? "",
            originalTransactionID: source.originalTransactionID ?? "",
            expiresAt: source.expiresAt,
            gracePeriodExpiresAt: source.gracePeriodExpiresAt,
            revokedAt: source.revokedAt,
            willRenew: source.willRenew,
            pendingProductID: source.pendingProductID,
            accessEnd: source.accessEndsAt
        )
    )
}
