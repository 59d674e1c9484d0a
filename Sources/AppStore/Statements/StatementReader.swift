import EntitlementDomain
import JSON
import X509

/// Turns signed texts into statements that can be appended: verifies each text by its own certificates, checks that
/// app and environment are ours, and takes out the facts.
///
/// Everything that the App Store has signed for one of our apps is kept. A notification that cannot be used (an
/// environment that is not accepted, parts that contradict each other, a kind that is not known) is kept without the
/// facts that cannot be used; only an upload, which somebody can correct and send again, is refused for that.
package struct StatementReader: Sendable {
    /// Who is trusted to sign.
    package let verifier: SignedStatementVerifier
    /// What is ours.
    package let policy: AppStorePolicy

    package init(verifier: SignedStatementVerifier, policy: AppStorePolicy) {
        self.verifier = verifier
        self.policy = policy
    }

    /// Verifies one signed text and decodes its payload.
    func part<Payload>(
        _ text: String,
        _ subject: String,
        now: Instant,
        environment: KeyPath<Payload, StoreEnvironment?>,
        decode: (JSONObject) -> Payload
    ) throws(StatementError) -> SignedPart<Payload> {
        let verified: VerifiedStatement
        do throws(VerificationError) {
            verified = try verifier.verify(text, now: now.milliseconds)
        } catch {
            throw StatementError(error, subject: subject)
        }
        let content = decode(verified.object)
        return SignedPart(verified, content: content, environment: content[keyPath: environment])
    }

    func transaction(_ text: String, now: Instant) throws(StatementError) -> SignedPart<TransactionPayload> {
        try part(text, "transaction", now: now, environment: \.environment) { TransactionPayload($0) }
    }

    func renewalInfo(_ text: String, now: Instant) throws(StatementError) -> SignedPart<RenewalInfoPayload> {
        try part(text, "renewal info", now: now, environment: \.environment) { RenewalInfoPayload($0) }
    }

    func appTransaction(_ text: String, now: Instant) throws(StatementError) -> SignedPart<AppTransactionPayload> {
        try part(text, "app transaction", now: now, environment: \.environment) { AppTransactionPayload($0) }
    }

    /// Throws `invalidChain` unless the signer can vouch for the environments that the parts of a statement claim.
    ///
    /// Xcode's certificate vouches for `Xcode` alone, and only where the policy lets it; the App Store's chain vouches
    /// for every other environment. A text that Xcode signed does not belong among those of the App Store.
    func checkTrust(
        _ trust: StatementTrust,
        _ parts: [(trust: StatementTrust, environment: StoreEnvironment?)]
    ) throws(StatementError) {
        for part in parts where part.trust != trust {
            throw StatementError(.invalidChain, "The parts of the statement are signed by different authorities.")
        }
        guard trust == .xcode else { return }
        guard policy.acceptsXcode else {
            throw StatementError(.invalidChain, "Statements signed by Xcode are not accepted here.")
        }
        for part in parts where part.environment != .xcode {
            throw StatementError(.invalidChain, "Xcode's certificate signs for the environment Xcode alone.")
        }
    }
}
