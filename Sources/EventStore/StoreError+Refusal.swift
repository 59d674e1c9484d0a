import Postgres

extension StoreError {
    /// What the server refuses until somebody changes the connection string or the server: what it said, which names the
    /// role, the database or the host and never the password, and what to do. Nil for every other failure.
    static func refusal(_ cause: PostgresError) -> StoreError? {
        guard let state = cause.sqlState else { return nil }
        if state == .insufficientPrivilege {
            return .unsuitable("the database's role may not do this: \(cause.message); \(rights)")
        }
        guard cause.kind == .connection, let remedy = remedy(state) else { return nil }
        return .unsuitable("the database refuses the connection: \(cause.message); \(remedy)")
    }

    private static let rights = """
        'entitled serve' runs as entitled_service, which 'entitled migrate' gives its rights; migrate, keys, rebuild and \
        audit import connect as the owner of the database
        """

    /// Classes 28 and 3D of the condition codes (PostgreSQL manual, appendix A "PostgreSQL Error Codes").
    private static func remedy(_ state: SQLState) -> String? {
        switch state {
        case .invalidPassword:
            "the password is missing or wrong: give the right one in the connection string, in PGPASSWORD or in .pgpass"
        case .undefinedDatabase:
            "correct the database's name in the connection string, or make the database and run 'entitled migrate'"
        case _ where state.conditionClass == "28":
            """
            correct the role's name in the connection string, or let the role in: 'entitled migrate' makes \
            entitled_service, the server's pg_hba.conf says who may connect from where
            """
        default: nil
        }
    }
}
