/// One HTTP request, ready to be sent.
package struct ServerAPICall: Sendable, Hashable {
    /// `GET`, `POST` or `PUT`.
    package var method: String
    /// Scheme, host, path and query, percent-encoded.
    package var url: String
    /// Names and values.
    package var headers: [String: String]
    /// Nil: no body.
    package var body: [UInt8]?

    package init(method: String, url: String, headers: [String: String], body: [UInt8]?) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
