/// A request, complete with its body.
package struct HTTPRequest: Sendable {
    package let method: HTTPMethod
    /// The target exactly as it stood in the request line.
    package let target: String
    /// The header fields; see there how long they may be asked for.
    package let headers: HTTPRequestHeaders
    /// The whole body; empty when there is none.
    package let body: [UInt8]
    /// The address of the peer as text, without its port: `192.0.2.7`, `2001:db8::1`.
    package let remoteAddress: String
    /// Whether the client has shown a certificate that comes from those of `HTTPServerConfiguration.TLS.clientCAPEM`.
    package let hasClientCertificate: Bool

    private let parts: HTTPTarget

    /// A request put together by hand, for instance to try a handler without a socket.
    package init(
        method: HTTPMethod,
        target: String,
        headers: [HTTPField] = [],
        body: [UInt8] = [],
        remoteAddress: String = "127.0.0.1",
        hasClientCertificate: Bool = false
    ) {
        self.init(
            method: method,
            target: target,
            headers: HTTPRequestHeaders(headers),
            body: body,
            remoteAddress: remoteAddress,
            hasClientCertificate: hasClientCertificate
        )
    }

    init(
        method: HTTPMethod,
        target: String,
        headers: HTTPRequestHeaders,
        body: [UInt8],
        remoteAddress: String,
        hasClientCertificate: Bool
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.hasClientCertificate = hasClientCertificate
        parts = HTTPTarget(target)
    }

    /// The path with percent escapes decoded once, without the query.
    package var path: String { parts.path }

    /// The pairs of the query, decoded, in their order.
    package var queryItems: [HTTPQueryItem] { parts.queryItems }

    /// The value of the first pair of that name in the query.
    package func query(_ name: String) -> String? {
        queryItems.first { $0.name == name }.flatMap(\.value)
    }

    /// The first header field of that name, in any case.
    package func header(_ name: String) -> String? {
        headers[name]
    }
}
