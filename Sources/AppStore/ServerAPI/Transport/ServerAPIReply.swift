/// One HTTP response, whatever its status.
package struct ServerAPIReply: Sendable, Hashable {
    package var status: Int
    /// The header `Retry-After` as sent.
    package var retryAfter: String?
    /// The header `Date` as sent: what the other side takes for now.
    package var date: String?
    package var body: [UInt8]

    package init(status: Int, retryAfter: String? = nil, date: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.body = body
    }
}
