/// A response.
///
/// `Date`, `Content-Length`, `Transfer-Encoding` and `Connection` are added where they belong. A HEAD request is
/// answered like a GET; the body is then not sent.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var headers: [HTTPField]
    package var body: HTTPBody

    /// A response with a body in memory.
    package init(_ status: HTTPStatus = .ok, headers: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    /// A response with a body in memory of that media type.
    package init(_ status: HTTPStatus = .ok, type: String, headers: [HTTPField] = [], body: [UInt8]) {
        self.init(status, headers: [HTTPField("Content-Type", type)] + headers, body: body)
    }

    /// A response whose body is written while it is sent, for instance server-sent events.
    ///
    /// - Parameter produce: writes the body; it begins when the headers are out, and its end ends the body. It is
    ///   cancelled when the client goes away or the server stops. When it throws, the connection is cut, so that the
    ///   client does not take the part for the whole.
    package init(
        _ status: HTTPStatus = .ok,
        headers: [HTTPField] = [],
        streaming produce: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) {
        self.status = status
        self.headers = headers
        body = .stream(produce)
    }

    /// A response whose body is a sequence of chunks.
    package init<Chunks: AsyncSequence & Sendable>(
        _ status: HTTPStatus = .ok,
        headers: [HTTPField] = [],
        chunks: Chunks
    ) where Chunks.Element == [UInt8] {
        self.init(status, headers: headers) { writer in
            for try await chunk in chunks { try await writer.write(chunk) }
        }
    }
}

/// The body of a response.
package enum HTTPBody: Sendable {
    case bytes([UInt8])
    /// Written while it is sent; see `HTTPResponse.init(_:headers:streaming:)`.
    case stream(@Sendable (HTTPBodyWriter) async throws -> Void)
}
