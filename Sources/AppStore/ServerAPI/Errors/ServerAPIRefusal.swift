/// A response of the App Store that is no success, as it was sent (App Store Server API, Error codes).
package struct ServerAPIRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The HTTP status.
    package var status: Int
    /// `errorCode`, whether it is known or not; nil when the body is none of the API's.
    package var code: Int64?
    /// `errorMessage` as sent.
    package var message: String?

    package init(status: Int, code: Int64? = nil, message: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
    }

    /// The code, when it is a documented one.
    package var known: ServerAPIErrorCode? { code.flatMap { ServerAPIErrorCode(rawValue: $0) } }

    /// Whether the same call may succeed later: a code that says so, or a failure of the server without a known code.
    package var isRetryable: Bool { known?.isRetryable ?? (500...599).contains(status) }

    /// Whether the App Store said clearly that the call had no effect and may be repeated.
    var isCertainlyWithoutEffect: Bool { status == 429 || (status == 404 && isRetryable) }

    package var description: String {
        let words = known?.meaning ?? message ?? "no reason is given"
        return code.map { "\(words) (HTTP \(status), error \($0))" } ?? "\(words) (HTTP \(status))"
    }
}
