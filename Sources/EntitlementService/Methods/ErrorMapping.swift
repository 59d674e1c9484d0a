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
        case .unavailable, .schemaMismatch:
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
        case .failed:
            self = JSONRPCError(code: -32603, message: "Internal error; the service's log has the details.")
        }
    }

    /// What a caller is told of a statement that was refused.
    init(_ error: StatementError) {
        let reason = ErrorReason(rawValue: error.reason.rawValue) ?? .malformedStatement
        self = reason.error(error.message)
    }
}
