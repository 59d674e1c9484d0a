package import EntitlementDomain
import X509

extension StatementReader {
    /// Reads a transaction, and the renewal info beside it, that an app's backend sent or that a page of the App Store
    /// Server API holds.
    ///
    /// Whoever sends the two has put them together, so the renewal info must name the transaction's line and
    /// environment itself.
    ///
    /// - Parameters:
    ///   - signedTransaction: StoreKit's `jwsRepresentation` of a transaction.
    ///   - signedRenewalInfo: StoreKit's `jwsRepresentation` of its renewal info.
    ///   - source: `.upload` or `.api`.
    ///   - now: the clock.
    /// - Throws: `StatementError` for a text that is not genuine, not ours, or not usable.
    package func readUpload(
        signedTransaction: String,
        signedRenewalInfo: String? = nil,
        source: EventSource = .upload,
        now: Instant
    ) throws(StatementError) -> Statement {
        let transaction = try transaction(signedTransaction, now: now)
        var renewalInfo: SignedPart<RenewalInfoPayload>?
        if let signedRenewalInfo { renewalInfo = try self.renewalInfo(signedRenewalInfo, now: now) }
        var parts = [(transaction.trust, transaction.environment)]
        if let renewalInfo { parts.append((renewalInfo.trust, renewalInfo.environment)) }
        try checkTrust(transaction.trust, parts)

        let content = transaction.content
        try policy.checkApp(bundleID: content.bundleID, appAppleID: nil, environment: content.environment)
        let environment = try acceptedEnvironment(content.environment, trust: transaction.trust)
        guard let bundleID = content.bundleID, let facts = content.facts() else {
            let missing = content.missingEssentials.joined(separator: ", ")
            throw StatementError(.malformedStatement, "The transaction lacks a usable \(missing).")
        }
        if let renewalInfo {
            guard renewalInfo.content.originalTransactionID == facts.originalTransactionID,
                renewalInfo.environment == environment
            else {
                throw StatementError(
                    .malformedStatement,
                    "The renewal info is not of the transaction's line. Send the renewal info of the same subscription."
                )
            }
        }
        let evidence = [signedTransaction, signedRenewalInfo].compactMap { $0.map { Array($0.utf8) } }
        return Statement(
            identity: .payload(Self.digest(transaction.digest, renewalInfo?.digest)),
            source: source,
            environment: environment,
            bundleID: bundleID,
            line: LineID(
                environment: environment,
                bundleID: bundleID,
                originalTransactionID: facts.originalTransactionID,
                ownership: facts.ownership
            ),
            facts: StatementFacts(
                transaction: facts,
                renewal: RenewalFacts(renewalInfo?.content, in: nil, transactionSignedAt: facts.signedAt)
            ),
            signedAt: facts.signedAt,
            payload: StatementPayload(transaction: content, renewalInfo: renewalInfo?.content).canonicalBytes(),
            evidence: evidence,
            evidenceDigests: [transaction.textDigest, renewalInfo?.textDigest].compactMap(\.self)
        )
    }

    /// The environment of an upload; throws `wrongEnvironment` when it is absent or not accepted.
    func acceptedEnvironment(
        _ environment: StoreEnvironment?,
        trust: StatementTrust
    ) throws(StatementError) -> StoreEnvironment {
        try policy.acceptedEnvironment(environment, trust: trust)
    }

    /// The digest of one payload, or the digest over the digests of two.
    private static func digest(_ first: SHA256Digest, _ second: SHA256Digest?) -> SHA256Digest {
        second.map { SHA256.hash(first.bytes + $0.bytes) } ?? first
    }
}
