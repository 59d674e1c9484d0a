package import AppStore
import EntitlementDomain
package import EventStore
import JSON

/// Verifies the App Store's signatures on stored texts: offline, and with certificates as they were valid at the signing
/// date, so that evidence can be verified for ever.
package struct EvidenceSignatures: Sendable {
    private let verifier: SignedStatementVerifier
    private let receipts: ReceiptVerifier

    /// The members of a notification's data that are signed texts themselves (App Store Server Notifications, data and
    /// appData).
    private static let inner = [
        ["data", "signedTransactionInfo"], ["data", "signedRenewalInfo"], ["appData", "signedAppTransactionInfo"],
    ]

    package init(verifier: SignedStatementVerifier, receipts: ReceiptVerifier) {
        self.verifier = verifier
        self.receipts = receipts
    }

    /// The check as the event store takes it.
    package var check: EvidenceCheck {
        { evidence in verdict(evidence) }
    }

    private func verdict(_ evidence: StoredEvidence) -> EvidenceVerdict {
        let now = evidence.recordedAt.milliseconds
        // A receipt is PKCS#7 in base64 and has no dots; a statement is a JWS of three segments.
        guard evidence.text.contains(UInt8(ascii: ".")) else { return receiptVerdict(evidence) }
        do throws(VerificationError) {
            let statement = try verifier.verify(evidence.text, now: now)
            var count = 1
            let payload = statement.json
            for path in Self.inner {
                guard let text = payload[path[0]]?[path[1]]?.stringValue, !text.isEmpty else { continue }
                _ = try verifier.verify(text, now: now)
                count += 1
            }
            return .good(signatures: count)
        } catch {
            return .bad(error.description)
        }
    }

    private func receiptVerdict(_ evidence: StoredEvidence) -> EvidenceVerdict {
        do throws(VerificationError) {
            _ = try receipts.verify(evidence.text, now: evidence.recordedAt)
            return .good(signatures: 1)
        } catch {
            // What was not signed under a known root was taken on the App Store's own word, which can be asked no more.
            return error == .badSignature ? .bad(error.description) : .unknownKind
        }
    }
}
