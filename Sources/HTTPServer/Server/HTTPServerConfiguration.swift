/// How a server listens and what it tolerates.
package struct HTTPServerConfiguration: Sendable {
    /// A certificate and its key, as the texts of PEM files.
    package struct TLS: Sendable {
        /// The server's certificate, followed by the intermediate ones.
        package var certificatePEM: String
        package var privateKeyPEM: String
        /// The certificates that clients' certificates must come from; nil: clients are asked for none. A client may
        /// always come without one (`HTTPRequest.hasClientCertificate` tells); one with another's is refused.
        package var clientCAPEM: String?

        package init(certificatePEM: String, privateKeyPEM: String, clientCAPEM: String? = nil) {
            self.certificatePEM = certificatePEM
            self.privateKeyPEM = privateKeyPEM
            self.clientCAPEM = clientCAPEM
        }

        /// Whether a server could use these texts, without one.
        ///
        /// - Returns: when the certificate holds.
        /// - Throws: `HTTPServerError.tlsRefused`, which says what is wrong.
        @discardableResult
        package func check() throws(HTTPServerError) -> TLSValidity {
            try TLSCredentials.current(self).validity
        }
    }

    /// The address to listen on: `127.0.0.1`, `::1`, `0.0.0.0`, `::` (IPv4 too) or a name.
    package var address = "127.0.0.1"
    /// The port; 0 for any free one.
    package var port: UInt16 = 0
    /// Threads that serve connections; 0 for one for each processor.
    package var threads = 0
    /// The largest request body; a larger one is answered 413.
    package var maximumBodyBytes = 8 * 1024 * 1024
    /// The largest request line and header fields together; larger ones are answered 431.
    package var maximumHeaderBytes = 8 * 1024
    /// The most connections at a time; more of them wait to be accepted.
    package var maximumConnections = 4096
    /// The most connections of one peer address at a time; 0 for no limit.
    package var maximumConnectionsPerAddress = 0
    /// How long a connection may be silent, in whole seconds.
    package var idleTimeout: Duration = .seconds(75)
    /// How long a client may take to send one request. The time runs from the opening of the connection to the end of
    /// the header fields and from there to the end of the body. On a connection that is used again, the header fields
    /// have this time on top of `idleTimeout`.
    package var requestTimeLimit: Duration = .seconds(30)
    /// Serves TLS, 1.2 or 1.3, instead of plain HTTP.
    package var tls: TLS?

    package init() {}
}
