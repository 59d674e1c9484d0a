import Postgres

/// How much of long lines is read.
package enum LineReach: Sendable, Hashable {
    /// The heads: they answer from `Account.answersFrom` on.
    case head
    /// All transactions: for earlier instants, and for lists of what was bought.
    case whole

    /// A statement for each reach.
    struct Statements: Sendable {
        fileprivate var head: PreparedStatement
        fileprivate var whole: PreparedStatement

        subscript(reach: LineReach) -> PreparedStatement {
            reach == .head ? head : whole
        }
    }

    /// - Parameter sql: the text with the columns of lines that are to be read (`LineRow`).
    static func statements(_ sql: (_ columns: String) -> String) -> Statements {
        Statements(
            head: PreparedStatement(sql(LineRow.columns)),
            whole: PreparedStatement(sql(LineRow.wholeColumns))
        )
    }
}
