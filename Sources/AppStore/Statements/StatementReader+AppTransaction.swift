package import EntitlementDomain
import X509

extension StatementReader {
    /// Reads a signed app transaction (StoreKit, AppTransaction). It concerns no line of purchases, so its statement
    /// has no facts; what it tells of the app is in `content`.
    ///
    /// - Throws: `StatementError` for a text that is not genuine or not ours.
    package func readAppTransaction(
        signedAppTransaction: String,
        source: EventSource = .upload,
        now: Instant
    ) throws(StatementError) -> (statement: Statement, content: AppTransactionPayload) {
        let part = try appTransaction(signedAppTransaction, now: now)
        try checkTrust(part.trust, [(part.trust, part.environment)])
        let content = part.content
        try policy.checkApp(
            bundleID: content.bundleID,
            appAppleID: content.appAppleID,
            environment: content.environment
        )
        let environment = try acceptedEnvironment(content.environment, trust: part.trust)
        let evidence = [Array(signedAppTransaction.utf8)]
        let statement = Statement(
            identity: .payload(part.digest),
            source: source,
            environment: environment,
            bundleID: content.bundleID ?? "",
            facts: StatementFacts(namedType: .received),
            signedAt: content.signedAt ?? now,
            payload: StatementPayload(appTransaction: content).canonicalBytes(),
            evidence: evidence,
            evidenceDigests: evidence.map { SHA256.hash($0) }
        )
        return (statement, content)
    }
}
