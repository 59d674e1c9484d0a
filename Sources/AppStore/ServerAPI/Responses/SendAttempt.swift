package import EntitlementDomain

/// One try of the App Store to deliver a notification (App Store Server API, sendAttemptItem).
package struct SendAttempt: Sendable, Hashable {
    package var at: Instant?
    /// As sent: `SUCCESS`, `TIMED_OUT`, `TLS_ISSUE`, `CIRCULAR_REDIRECT`, `NO_RESPONSE`, `SOCKET_ISSUE`,
    /// `UNSUPPORTED_CHARSET`, `INVALID_RESPONSE`, `PREMATURE_CLOSE`, `UNSUCCESSFUL_HTTP_RESPONSE_CODE`, `OTHER`, or a later
    /// one.
    package var result: String

    package init(at: Instant?, result: String) {
        self.at = at
        self.result = result
    }

    /// Whether the notification arrived.
    package var isSuccess: Bool { result == "SUCCESS" }
}
