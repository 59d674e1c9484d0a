internal import CLibcrypto

/// libcrypto's queue of errors, which belongs to the calling thread.
enum LibraryErrors {
    /// The newest reason as text, safe to show (it names functions and rules, never data); empties the queue.
    static func takeReason() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return "no reason given" }
        return unsafe String(cString: text)
    }

    /// Empties the queue after an expected negative, so that its entries do not explain a later failure.
    static func discard() {
        ERR_clear_error()
    }
}
