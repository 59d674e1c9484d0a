package import EntitlementDomain
import Postgres

/// Why the event store could not do its work.
package enum StoreError: Error, Sendable, CustomStringConvertible {
    /// The database cannot be reached or cannot take writes right now. Nothing half done remains; try again.
    case unavailable(String)
    /// The position asked for has not been reached in time, or its epoch is not the log's any more.
    /// `current` is where the log is.
    case positionNotReached(isEpochChanged: Bool, current: LogPosition)
    /// The database's schema is not the one this version works with.
    case schemaMismatch(found: Int?, needed: Int)
    /// Nothing can be written: the reason, and what to do. Reading works.
    case readOnly(String)
    /// The way to the database cannot carry this service: the reason, and what to do.
    case unsuitable(String)
    /// What was asked needs events that were moved out of the database: which ones, and what to do.
    case archived(String)
    /// A fault of the product or a damaged database: it does not go away by itself.
    case failed(String)

    /// Whether the same work may succeed later.
    package var isTemporary: Bool {
        switch self {
        case .unavailable, .readOnly, .positionNotReached: true
        case .schemaMismatch, .unsuitable, .archived, .failed: false
        }
    }

    package var description: String {
        switch self {
        case .unavailable(let reason): "the database is not available: \(reason)"
        case .positionNotReached(isEpochChanged: false, _): "the log has not reached this position"
        case .positionNotReached(isEpochChanged: true, _): "the position is of another epoch of the log"
        case .schemaMismatch(nil, let needed):
            "the database has no entitled schema; run 'entitled migrate' (version \(needed) is needed)"
        case .schemaMismatch(let found?, let needed):
            found > needed
                ? "the database has schema version \(found), newer than \(needed), which this version knows; upgrade entitled"
                : "the database has schema version \(found); run 'entitled migrate' to bring it to \(needed)"
        case .readOnly(let reason), .unsuitable(let reason), .archived(let reason), .failed(let reason): reason
        }
    }

    /// The store's view of any error below it.
    package init(_ error: any Error) {
        if let error = error as? StoreError {
            self = error
        } else if let error = error as? PostgresTransactionError {
            // That rolling back failed too says only that the session is gone.
            self = StoreError(error.underlying)
        } else if let cause = PostgresError.underlying(error) {
            if cause.sqlState == .readOnlySQLTransaction {
                self = .readOnly("the database takes no writes now: it is a standby, or was made read-only")
                return
            }
            if let refusal = Self.refusal(cause) {
                self = refusal
                return
            }
            self =
                cause.isTransient || cause.kind == .cancelled || cause.kind == .closed
                ? .unavailable(cause.description) : .failed(cause.description)
        } else {
            self = .failed(String(describing: error))
        }
    }
}
