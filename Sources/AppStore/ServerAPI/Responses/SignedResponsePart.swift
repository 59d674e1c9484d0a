/// One signed text of a response, and what its verification gave.
package struct SignedResponsePart: Sendable {
    /// As received.
    package var text: String
    /// The statement, ready to be appended; or why it cannot be.
    package var result: Result<Statement, StatementError>

    package init(text: String, result: Result<Statement, StatementError>) {
        self.text = text
        self.result = result
    }
}
