/// A five-character condition code of the server (PostgreSQL manual, appendix A "PostgreSQL Error Codes").
///
/// The set is open: a code without a name here is kept as it came.
package struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code itself, for example `23505`.
    package var description: String { rawValue }

    /// The first two characters: the class of the condition, for example `23` for integrity constraint violations.
    package var conditionClass: String { String(rawValue.prefix(2)) }
}

extension SQLState {
    // MARK: Class 08, 28, 3D: connecting

    package static let connectionException = SQLState("08000")
    package static let connectionDoesNotExist = SQLState("08003")
    package static let connectionFailure = SQLState("08006")
    package static let protocolViolation = SQLState("08P01")
    package static let invalidAuthorization = SQLState("28000")
    package static let invalidPassword = SQLState("28P01")
    package static let undefinedDatabase = SQLState("3D000")

    // MARK: Class 0A, 22, 26: statements and data

    package static let featureNotSupported = SQLState("0A000")
    package static let numericValueOutOfRange = SQLState("22003")
    package static let datetimeOutOfRange = SQLState("22008")
    package static let characterNotInRepertoire = SQLState("22021")
    package static let divisionByZero = SQLState("22012")
    package static let invalidTextRepresentation = SQLState("22P02")
    package static let invalidBinaryRepresentation = SQLState("22P03")
    package static let badCopyFileFormat = SQLState("22P04")
    package static let invalidStatementName = SQLState("26000")

    // MARK: Class 23: integrity constraints

    package static let integrityViolation = SQLState("23000")
    package static let restrictViolation = SQLState("23001")
    package static let notNullViolation = SQLState("23502")
    package static let foreignKeyViolation = SQLState("23503")
    package static let uniqueViolation = SQLState("23505")
    package static let checkViolation = SQLState("23514")
    package static let exclusionViolation = SQLState("23P01")

    // MARK: Class 25, 40: transactions

    package static let activeSQLTransaction = SQLState("25001")
    package static let readOnlySQLTransaction = SQLState("25006")
    package static let inFailedSQLTransaction = SQLState("25P02")
    package static let idleInTransactionTimeout = SQLState("25P03")
    package static let serializationFailure = SQLState("40001")
    package static let transactionIntegrityViolation = SQLState("40002")
    package static let statementCompletionUnknown = SQLState("40003")
    package static let deadlockDetected = SQLState("40P01")

    // MARK: Class 42: names, syntax and rights

    package static let insufficientPrivilege = SQLState("42501")
    package static let syntaxError = SQLState("42601")
    package static let undefinedColumn = SQLState("42703")
    package static let undefinedObject = SQLState("42704")
    package static let undefinedFunction = SQLState("42883")
    package static let undefinedTable = SQLState("42P01")
    package static let duplicateDatabase = SQLState("42P04")
    package static let duplicateObject = SQLState("42710")
    package static let duplicateTable = SQLState("42P07")
    package static let undefinedSchema = SQLState("3F000")

    // MARK: Class 53, 54, 55, 57, 58: resources and operation

    package static let diskFull = SQLState("53100")
    package static let outOfMemory = SQLState("53200")
    package static let tooManyConnections = SQLState("53300")
    package static let programLimitExceeded = SQLState("54000")
    package static let objectInUse = SQLState("55006")
    package static let lockNotAvailable = SQLState("55P03")
    package static let queryCanceled = SQLState("57014")
    package static let adminShutdown = SQLState("57P01")
    package static let crashShutdown = SQLState("57P02")
    package static let cannotConnectNow = SQLState("57P03")
    package static let databaseDropped = SQLState("57P04")
    package static let idleSessionTimeout = SQLState("57P05")
    package static let ioError = SQLState("58030")

    // MARK: Class P0, XX: functions and the server's own faults

    package static let raisedException = SQLState("P0001")
    package static let internalError = SQLState("XX000")
    package static let dataCorrupted = SQLState("XX001")
}

extension SQLState {
    /// Whether the server ends the session together with this condition.
    package var endsSession: Bool {
        switch self {
        case .adminShutdown, .crashShutdown, .databaseDropped, .idleSessionTimeout, .idleInTransactionTimeout,
            .protocolViolation:
            true
        default:
            conditionClass == "08"
        }
    }

    /// Whether the same work may succeed later with nothing changed: connection trouble, resources used up, a server
    /// that is read-only after a fail-over, a lost race between transactions.
    package var isTransient: Bool {
        switch self {
        case .protocolViolation:
            false
        case .readOnlySQLTransaction, .idleInTransactionTimeout, .lockNotAvailable, .adminShutdown, .crashShutdown,
            .cannotConnectNow, .idleSessionTimeout, .queryCanceled:
            true
        case .transactionIntegrityViolation:
            false
        default:
            ["08", "40", "53", "58"].contains(conditionClass)
        }
    }

    /// Whether the server's primary message for this condition may quote a value that was sent to it.
    ///
    /// Classes 22 (data exceptions) and P0 (text chosen by a function's author) do; the listed classes name only
    /// objects of the schema.
    var messageNamesOnlyObjects: Bool {
        ["08", "0A", "23", "25", "26", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58"]
            .contains(conditionClass)
    }
}
