import CLibmicrohttpd

/// A certificate, its key, and whom clients' certificates must come from, as GnuTLS takes them.
///
/// libmicrohttpd reads a certificate once, when it starts. Each connection gets these instead, before its handshake, so
/// that they can be replaced; the connection keeps them alive as long as it lasts.
@safe final class TLSCredentials: @unchecked Sendable {
    // The handle is not changed after `init`, and handshakes only read what it stands for.

    /// TLS 1.3 and 1.2 and nothing older (RFC 8996), with the library's choice of ciphers and the server's order of them.
    static let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE"

    let validity: TLSValidity
    /// Whether clients are asked for a certificate.
    let asksClients: Bool
    private let handle: OpaquePointer

    /// - Throws: `HTTPServerError.tlsRefused`, which says what is wrong.
    init(_ tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) {
        var allocated: OpaquePointer?
        guard unsafe gnutls_certificate_allocate_credentials(&allocated) == 0, let handle = unsafe allocated else {
            throw .tlsRefused(reason: "no memory")
        }
        unsafe self.handle = handle
        asksClients = tls.clientCAPEM != nil
        do throws(HTTPServerError) {
            try unsafe TLSCredentials.loadIdentity(tls, handle)
            if let authorities = tls.clientCAPEM { try unsafe TLSCredentials.loadAuthorities(authorities, handle) }
            validity = try unsafe TLSCredentials.validity(handle)
        } catch {
            unsafe gnutls_certificate_free_credentials(handle)
            throw error
        }
    }

    deinit {
        unsafe gnutls_certificate_free_credentials(handle)
    }

    /// The same, where the certificate must hold now.
    static func current(_ tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) -> TLSCredentials {
        let credentials = try TLSCredentials(tls)
        guard credentials.validity.isCurrent else {
            throw .tlsRefused(reason: "the certificate does not hold now, only \(credentials.validity)")
        }
        return credentials
    }

    /// Makes a session use these; to be called before its handshake.
    func attach(to session: OpaquePointer?) -> Bool {
        guard let session = unsafe session,
            unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(handle)) == 0
        else { return false }
        if asksClients {
            unsafe gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST)
            unsafe gnutls_session_set_verify_function(session, TLSCredentials.verify)
        }
        return true
    }

    /// Whether the client of a session whose handshake asked for it has shown a certificate. One that did not hold has
    /// ended the handshake.
    static func hasVerifiedPeer(_ session: OpaquePointer?) -> Bool {
        guard let session = unsafe session else { return false }
        var count: UInt32 = 0
        return unsafe gnutls_certificate_get_peers(session, &count) != nil && count > 0
    }

    /// Looks at the certificate of a client in the handshake; other than 0 ends it. No certificate is fine here: who
    /// needs one asks for it when the path of the request is known.
    private static let verify: @convention(c) (OpaquePointer?) -> Int32 = { session in
        guard unsafe hasVerifiedPeer(session) else { return 0 }
        // Extended key usage "client authentication" (RFC 5280 section 4.2.1.12), where the certificate names any.
        var status: UInt32 = 0
        let code = unsafe "1.3.6.1.5.5.7.3.2".withCString { purpose in
            var wanted = unsafe gnutls_typed_vdata_st()
            unsafe wanted.type = GNUTLS_DT_KEY_PURPOSE_OID
            unsafe wanted.data = UnsafeMutableRawPointer(mutating: purpose).assumingMemoryBound(to: UInt8.self)
            return unsafe gnutls_certificate_verify_peers(session, &wanted, 1, &status)
        }
        return code == 0 && status == 0 ? 0 : -1
    }

    private static func loadIdentity(
        _ tls: HTTPServerConfiguration.TLS,
        _ handle: OpaquePointer
    ) throws(HTTPServerError) {
        let code = unsafe withDatum(tls.certificatePEM) { certificate in
            unsafe withDatum(tls.privateKeyPEM) { key in
                unsafe gnutls_certificate_set_x509_key_mem2(handle, certificate, key, GNUTLS_X509_FMT_PEM, nil, 0)
            }
        }
        switch code {
        case 0...: return
        case GNUTLS_E_CERTIFICATE_KEY_MISMATCH:
            throw .tlsRefused(reason: "the key is not that of the first certificate")
        default: throw .tlsRefused(reason: "\(text(code)); check that both are PEM texts")
        }
    }

    private static func loadAuthorities(_ pem: String, _ handle: OpaquePointer) throws(HTTPServerError) {
        let count = unsafe withDatum(pem) { authorities in
            unsafe gnutls_certificate_set_x509_trust_mem(handle, authorities, GNUTLS_X509_FMT_PEM)
        }
        guard count > 0 else {
            throw .tlsRefused(reason: "the authorities of clients' certificates are no certificates in PEM form")
        }
    }

    private static func validity(_ handle: OpaquePointer) throws(HTTPServerError) -> TLSValidity {
        // Points into the credentials' own memory.
        var der = unsafe gnutls_datum_t()
        var made: OpaquePointer?
        guard unsafe gnutls_certificate_get_crt_raw(handle, 0, 0, &der) == 0,
            unsafe gnutls_x509_crt_init(&made) == 0, let certificate = unsafe made
        else { throw .tlsRefused(reason: "the certificate cannot be read") }
        defer { unsafe gnutls_x509_crt_deinit(certificate) }
        guard unsafe gnutls_x509_crt_import(certificate, &der, GNUTLS_X509_FMT_DER) == 0 else {
            throw .tlsRefused(reason: "the certificate cannot be read")
        }
        return unsafe TLSValidity(
            notBefore: gnutls_x509_crt_get_activation_time(certificate),
            notAfter: gnutls_x509_crt_get_expiration_time(certificate)
        )
    }

    private static func text(_ code: Int32) -> String {
        unsafe gnutls_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code) of GnuTLS"
    }

    /// Lends a text's bytes; GnuTLS does not write to them.
    private static func withDatum<Value>(
        _ text: String,
        _ body: (UnsafePointer<gnutls_datum_t>) -> Value
    ) -> Value {
        var bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var datum = unsafe gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            return unsafe withUnsafePointer(to: &datum) { unsafe body($0) }
        }
    }
}
