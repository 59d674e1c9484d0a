import CLibpq

/// Owns one `PGresult`.
///
/// Sendable because a result is never changed after it was made; libpq allows such results to be read from any thread
/// (PostgreSQL manual, section 34.20 "Behavior in Threaded Programs").
@safe
final class ResultHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of `pointer`.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe PQclear(pointer)
    }

    var status: ExecStatusType { unsafe PQresultStatus(pointer) }

    /// The error this result carries.
    var serverMessage: ServerMessage? { unsafe ServerMessage(result: pointer) }

    /// The primary text of the error, for results that libpq itself made and that carry no fields.
    var errorText: String {
        unsafe PQresultErrorMessage(pointer).map { unsafe String(cString: $0) }?.trimmedLines ?? ""
    }

    /// The command tag, for example `INSERT 0 1` or `ROLLBACK`.
    var commandTag: String {
        unsafe PQcmdStatus(pointer).map { unsafe String(cString: $0) } ?? ""
    }
}

extension ServerMessage {
    /// Copies the fields of an error or notice; nil where there is no condition code, so where it is not the server
    /// that speaks.
    init?(result: OpaquePointer) {
        func field(_ code: Int32) -> String? {
            unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) }
        }
        guard let sqlState = field(entitled_diag_sqlstate()) else { return nil }
        self.init(
            severity: field(entitled_diag_severity()) ?? "",
            sqlState: SQLState(rawValue: sqlState),
            message: field(entitled_diag_message_primary()) ?? "",
            detail: field(entitled_diag_message_detail()),
            hint: field(entitled_diag_message_hint()),
            context: field(entitled_diag_context()),
            schema: field(entitled_diag_schema_name()),
            table: field(entitled_diag_table_name()),
            column: field(entitled_diag_column_name()),
            constraint: field(entitled_diag_constraint_name()),
            position: field(entitled_diag_statement_position()).flatMap { Int($0) }
        )
    }
}

extension String {
    /// libpq ends its messages with a line feed and may put several lines into one.
    var trimmedLines: String {
        split { $0 == "\n" || $0 == "\t" }.joined(separator: " ")
    }
}
