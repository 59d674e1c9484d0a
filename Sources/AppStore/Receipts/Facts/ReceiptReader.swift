package import EntitlementDomain
import X509

/// Turns app receipts into statements: verifies a receipt, checks that app and environment are ours, and takes out the
/// facts of its purchases.
package struct ReceiptReader: Sendable {
    /// Who is trusted to sign.
    package let verifier: ReceiptVerifier
    /// What is ours.
    package let policy: AppStorePolicy

    package init(verifier: ReceiptVerifier, policy: AppStorePolicy) {
        self.verifier = verifier
        self.policy = policy
    }

    /// Reads an app receipt.
    ///
    /// The facts of each purchase are ranked by the date on which the receipt was created, as a signed transaction's are
    /// by its signing date.
    ///
    /// - Parameters:
    ///   - text: the receipt in base64.
    ///   - now: the clock.
    /// - Throws: `StatementError` for a receipt that is not genuine, not ours, or not usable.
    package func read(_ text: String, now: Instant) throws(StatementError) -> ReceiptReading {
        let evidence = Array(text.utf8)
        let verified: VerifiedReceipt
        do throws(VerificationError) {
            verified = try verifier.verify(evidence, now: now)
        } catch {
            throw StatementError(error, subject: "receipt")
        }
        let receipt = verified.receipt
        let environment = try environment(of: receipt, trust: verified.trust)
        guard let createdAt = receipt.createdAt else {
            throw StatementError(.malformedStatement, "The receipt does not say when it was created.")
        }
        return reading(
            of: receipt,
            environment: environment,
            digest: verified.payloadDigest,
            evidence: evidence
        ) { _ in createdAt }
    }

    /// The environment of a receipt whose app is ours; throws what makes it none of ours.
    func environment(of receipt: AppReceipt, trust: StatementTrust) throws(StatementError) -> StoreEnvironment {
        try policy.checkApp(
            bundleID: receipt.bundleID,
            // The App Store writes 0 for an app that it does not sell.
            appAppleID: receipt.appAppleID.flatMap { $0 == 0 ? nil : $0 },
            environment: receipt.environment
        )
        if trust == .xcode {
            guard policy.acceptsXcode else {
                throw StatementError(.invalidChain, "Receipts signed by Xcode are not accepted here.")
            }
            guard receipt.environment == .xcode else {
                throw StatementError(.invalidChain, "Xcode's certificate signs for the environment Xcode alone.")
            }
        }
        return try policy.acceptedEnvironment(receipt.environment, trust: trust)
    }

    /// The statements of a receipt.
    ///
    /// - Parameters:
    ///   - digest: names what was stated; with a purchase's place it is that statement's identity.
    ///   - evidence: the receipt as it was handed in.
    ///   - via: who vouches for it, where its own signature does not.
    ///   - statedAt: ranks the facts of a purchase; without one, of the receipt as such.
    func reading(
        of receipt: AppReceipt,
        environment: StoreEnvironment,
        digest: SHA256Digest,
        evidence: [UInt8],
        via: String? = nil,
        statedAt: (ReceiptPurchase?) -> Instant
    ) -> ReceiptReading {
        let bundleID = receipt.bundleID ?? ""
        let evidenceDigest = SHA256.hash(evidence)
        func statement(_ place: Int?, _ purchase: ReceiptPurchase?, _ facts: StatementFacts) -> Statement {
            Statement(
                identity: .payload(place.map { Self.identity(digest, $0) } ?? digest),
                source: .receipt,
                environment: environment,
                bundleID: bundleID,
                line: facts.transaction.map { transaction in
                    LineID(
                        environment: environment,
                        bundleID: bundleID,
                        originalTransactionID: transaction.originalTransactionID,
                        ownership: transaction.ownership
                    )
                },
                facts: facts,
                signedAt: statedAt(purchase),
                payload: ReceiptPayload(receipt: receipt, via: via, purchase: purchase).canonicalBytes(),
                evidence: [evidence],
                evidenceDigests: [evidenceDigest]
            )
        }
        let lines = Dictionary(grouping: receipt.purchases, by: \.originalTransactionID)
        let statements = receipt.purchases.enumerated()
            .sorted { ($0.element.purchasedAt, $0.offset) < ($1.element.purchasedAt, $1.offset) }
            .map { place, purchase in
                let line = lines[purchase.originalTransactionID] ?? []
                let facts = purchase.facts(createdAt: statedAt(purchase), among: line)
                return statement(place, purchase, StatementFacts(transaction: facts))
            }
        return ReceiptReading(
            receipt: receipt,
            bundleID: bundleID,
            environment: environment,
            statements: statements.isEmpty
                ? [statement(nil, nil, StatementFacts(namedType: .received))] : statements
        )
    }

    /// The digest over the receipt's digest and a purchase's place in it.
    private static func identity(_ digest: SHA256Digest, _ place: Int) -> SHA256Digest {
        var bytes = digest.bytes
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: place >> shift)) }
        return SHA256.hash(bytes)
    }
}
