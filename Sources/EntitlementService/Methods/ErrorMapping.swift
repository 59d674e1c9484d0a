import AppStore
import EntitlementAPI
import EntitlementDomain
import EventStore
import JSON
import JSONRPC

extension JSONRPCError {
    /// What a caller is told of a fault in the store: no table, no statement, no path.
    init(_ error: StoreError) {
        switch error {
        case .unavailable, .readOnly, .schemaMismatch, .unsuitable, .failed:
            RequestTrace.current?.note(problem: error.description)
        case .positionNotReached, .archived: break
        }
        switch error {
        case .readOnly(let reason):
            self = ErrorReason.unavailable.error("This cannot be written here: \(reason).")
        case .unavailable, .schemaMismatch, .unsuitable:
            self = ErrorReason.unavailable.error("The database is not available right now; try again.")
        case .positionNotReached(isEpochChanged: true, let current):
            self = ErrorReason.positionNotReached.error(
                "The position is of another epoch: a fail-over may have rewound the log. Read again from the start.",
                details: ["position": .string(current.description)]
            )
        case .positionNotReached(isEpochChanged: false, let current):
            self = ErrorReason.positionNotReached.error(
                "The log has not reached this position; wait longer or try again.",
                details: ["position": .string(current.description)]
            )
        case .archived:
            self = ErrorReason.notFound.error(
                "The beginning of the log was archived, and what was known at a position cannot be told without it: "
                    + "ask for what is known now, or have the archived range attached again.",
                details: ["archived": true]
            )
        case .failed:
            self = JSONRPCError(code: -32603, message: "Internal error; the service's log has the details.")
        }
    }

    /// What a caller is told who names an account that was erased.
    static let accountErased = ErrorReason.notFound.error(
        "This account was erased and stays so; a person who comes back needs a new account UUID.",
        details: ["accountErased": true]
    )

    /// What a caller is told of a statement that was refused.
    init(_ error: StatementError) {
        let reason = ErrorReason(rawValue: error.reason.rawValue) ?? .malformedStatement
        self = reason.error(error.message)
    }

    /// What a caller is told when verifyReceipt gave no receipt.
    init(_ error: ReceiptServiceError) {
        switch error {
        case .refused(let status) where status.kind == .notAuthentic:
            self = ErrorReason.invalidSignature.error("The App Store says that this receipt is not genuine.")
        case .refused(let status) where status.kind == .malformed:
            self = ErrorReason.malformedStatement.error("This is no receipt that the App Store can read.")
        case .refused(let status) where status.kind == .unknownAccount:
            self = ErrorReason.notFound.error("The App Store does not know the customer of this receipt any more.")
        case .refused(let status) where status.kind == .wrongSecret:
            self = ErrorReason.upstreamRejected.error(
                "verifyReceipt refused the shared secret; the operator must correct verifyReceipt.sharedSecretFile."
            )
        case .unreachable: self = ErrorReason.upstreamUnavailable.error("verifyReceipt cannot be reached right now.")
        case .refused, .malformedAnswer:
            let reason: ErrorReason = error.isRetryable ? .upstreamUnavailable : .upstreamRejected
            self = reason.error("\(error).")
        }
    }
}
