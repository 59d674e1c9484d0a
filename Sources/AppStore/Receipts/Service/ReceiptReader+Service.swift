package import EntitlementDomain
import X509

extension ReceiptReader {
    /// Whether the App Store itself is to be asked about a receipt that was refused here: one that is of a form, or under
    /// a chain, that cannot be judged here. A forgery, or a receipt that is not ours, is not taken any further.
    package static func isUndecided(_ refusal: StatementError, of text: String) -> Bool {
        switch refusal.reason {
        case .malformedStatement, .invalidChain, .certificateExpired, .unavailable: break
        case .invalidSignature, .wrongBundle, .wrongEnvironment: return false
        }
        let bytes = text.utf8.filter { !ReceiptVerifier.isWhiteSpace($0) }
        return !bytes.isEmpty && Base64.decode(bytes) != nil
    }

    /// Reads what verifyReceipt said of a receipt. The facts of a purchase that is told of as it is now are ranked by the
    /// date of the question, those of the others by the date on which the receipt was created.
    ///
    /// - Throws: `StatementError` for a receipt that is not ours or not usable.
    package func read(
        _ answer: ReceiptServiceAnswer,
        of text: String,
        now: Instant
    ) throws(StatementError) -> ReceiptReading {
        let environment = try environment(of: answer.receipt, trust: .appStore)
        let askedAt = answer.requestedAt ?? now
        var reading = reading(
            of: answer.receipt,
            environment: environment,
            digest: SHA256.hash(answer.content),
            evidence: Array(text.utf8),
            via: "verifyReceipt"
        ) { purchase in
            let isCurrent = purchase.map { answer.currentTransactions.contains($0.transactionID) } ?? false
            return isCurrent ? askedAt : answer.receipt.createdAt ?? askedAt
        }
        // What is told of a line's renewal goes with its latest period.
        var open = answer.renewals
        for index in reading.statements.indices.reversed() {
            guard let line = reading.statements[index].line?.originalTransactionID else { continue }
            reading.statements[index].facts.renewal = open.removeValue(forKey: line)
        }
        return reading
    }
}
