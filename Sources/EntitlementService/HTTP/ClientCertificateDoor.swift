import HTTPServer

/// Lets in only clients that have shown a certificate, where that is configured. Keys are asked for all the same.
enum ClientCertificateDoor {
    /// Paths for clients that have none: the App Store, whose statements are signed, and the probes of a supervisor.
    private static let open: Set<String> = ["/appstore/notifications", "/healthz", "/readyz"]

    static func admits(_ request: HTTPRequest) -> Bool {
        request.hasClientCertificate || open.contains(request.path)
    }

    static var refusal: HTTPResponse {
        .problem(.forbidden, "clientCertificateRequired", "This path needs a client certificate that is trusted here.")
    }
}
