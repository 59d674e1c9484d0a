/// Why verifyReceipt gave no receipt. Holds neither the receipt nor the shared secret.
package enum ReceiptServiceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No answer came, or one of the kind that passes.
    case unreachable(String)
    /// The service refused, with this status.
    case refused(ReceiptServiceStatus)
    /// The answer is not of the form that is documented. The text says what is wrong.
    case malformedAnswer(String)

    /// Whether the same request may succeed later.
    package var isRetryable: Bool {
        switch self {
        case .unreachable: true
        case .refused(let status): status.isRetryable
        case .malformedAnswer: false
        }
    }

    package var description: String {
        switch self {
        case .unreachable(let reason): "verifyReceipt cannot be reached: \(reason)"
        case .refused(let status): "verifyReceipt answered \(status)"
        case .malformedAnswer(let reason): "verifyReceipt gave an answer that cannot be read: \(reason)"
        }
    }
}
