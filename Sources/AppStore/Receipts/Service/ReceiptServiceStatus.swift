/// What verifyReceipt says of a request (App Store Receipts, status).
package struct ReceiptServiceStatus: Sendable, Hashable, CustomStringConvertible {
    /// What a code means.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// 0: the receipt is genuine.
        case valid
        /// 21000: the request was no POST.
        case notAPost
        /// 21001: not sent any more.
        case retired
        /// 21002: the receipt is malformed, or the service had a passing trouble.
        case malformed
        /// 21003: the receipt is not genuine.
        case notAuthentic
        /// 21004: the shared secret is not the account's.
        case wrongSecret
        /// 21005: the service was not available.
        case unavailable
        /// 21006: genuine, and the subscription is over; for receipts of single transactions, as iOS 6 made them.
        case expired
        /// 21007: a receipt of the sandbox.
        case ofSandbox
        /// 21008: a receipt of production.
        case ofProduction
        /// 21009 and 21100 to 21199: a fault inside the App Store.
        case internalFault
        /// 21010: the customer's account is not found, or was deleted.
        case unknownAccount
        /// Any other code.
        case unknown
    }

    package let code: Int64
    /// `is-retryable`, where the answer has it.
    package let statedRetryable: Bool?

    package init(_ code: Int64, statedRetryable: Bool? = nil) {
        self.code = code
        self.statedRetryable = statedRetryable
    }

    package var kind: Kind {
        switch code {
        case 0: .valid
        case 21_000: .notAPost
        case 21_001: .retired
        case 21_002: .malformed
        case 21_003: .notAuthentic
        case 21_004: .wrongSecret
        case 21_005: .unavailable
        case 21_006: .expired
        case 21_007: .ofSandbox
        case 21_008: .ofProduction
        case 21_009, 21_100...21_199: .internalFault
        case 21_010: .unknownAccount
        default: .unknown
        }
    }

    /// Whether the same request may succeed later.
    package var isRetryable: Bool {
        switch kind {
        case .malformed, .unavailable: true
        case .internalFault: code == 21_009 || statedRetryable ?? false
        case .unknown: statedRetryable ?? false
        default: false
        }
    }

    /// Whether the answer holds a genuine receipt.
    package var hasReceipt: Bool { kind == .valid || kind == .expired }

    package var description: String {
        let meaning =
            switch kind {
            case .valid: "the receipt is genuine"
            case .notAPost: "the request was no POST"
            case .retired: "a code that is not sent any more"
            case .malformed: "the receipt is malformed, or a passing trouble"
            case .notAuthentic: "the receipt is not genuine"
            case .wrongSecret: "the shared secret is not the account's"
            case .unavailable: "not available"
            case .expired: "genuine, and the subscription is over"
            case .ofSandbox: "a receipt of the sandbox"
            case .ofProduction: "a receipt of production"
            case .internalFault: "a fault inside the App Store"
            case .unknownAccount: "the customer's account is not found"
            case .unknown: "a code that is not known"
            }
        return "\(code): \(meaning)"
    }
}
