internal import CLibcrypto

/// Fills an unsigned certificate step by step, then signs it.
@safe final class CertificateBuilder {
    private let certificate: OpaquePointer

    /// An empty certificate of version 3.
    init() throws(X509Error) {
        guard let certificate = unsafe X509_new() else { throw .library("make a certificate") }
        unsafe self.certificate = unsafe certificate
        try Self.check(unsafe X509_set_version(certificate, 2), "set the version")
    }

    deinit {
        unsafe X509_free(certificate)
    }

    func setSerialNumber(_ number: UInt64) throws(X509Error) {
        try Self.check(
            unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number),
            "set the serial number"
        )
    }

    func setValidity(_ validity: CertificateValidity) throws(X509Error) {
        let first = try unsafe ASN1Time.with(validity.notBefore) { unsafe X509_set1_notBefore(certificate, $0) }
        let last = try unsafe ASN1Time.with(validity.notAfter) { unsafe X509_set1_notAfter(certificate, $0) }
        try Self.check(first == 1 && last == 1 ? 1 : 0, "set the validity")
    }

    func setSubject(commonName: String, organization: String?) throws(X509Error) {
        guard let name = unsafe X509_NAME_new() else { throw .library("make a name") }
        defer { unsafe X509_NAME_free(name) }
        for (attribute, value) in [("O", organization), ("CN", commonName)] {
            guard let value else { continue }
            let bytes = Array(value.utf8)
            try Self.check(
                unsafe X509_NAME_add_entry_by_txt(name, attribute, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0),
                "write the name \"\(value)\""
            )
        }
        try Self.check(unsafe X509_set_subject_name(certificate, name), "set the subject")
    }

    func setPublicKey(of key: ECPrivateKey) throws(X509Error) {
        try Self.check(unsafe X509_set_pubkey(certificate, key.handle.pointer), "set the public key")
    }

    /// Names `issuer`, or the certificate itself when nil, as the issuer.
    func setIssuer(_ issuer: Certificate?) throws(X509Error) {
        let source = unsafe issuer?.handle.pointer ?? certificate
        try Self.check(unsafe X509_set_issuer_name(certificate, X509_get_subject_name(source)), "set the issuer")
    }

    func add(_ authority: CertificateTemplate.Authority) throws(X509Error) {
        switch authority {
        case .unstated:
            return
        case .endEntity:
            try add(NID_basic_constraints, "critical,CA:FALSE")
            try add(NID_key_usage, "critical,digitalSignature")
        case .certificateAuthority(let pathLength):
            try add(NID_basic_constraints, "critical,CA:TRUE" + (pathLength.map { ",pathlen:\($0)" } ?? ""))
            try add(NID_key_usage, "critical,keyCertSign,cRLSign")
        }
    }

    /// Adds the key identifiers; subject, public key and issuer must be set before.
    func addKeyIdentifiers(issuer: Certificate?) throws(X509Error) {
        try add(NID_subject_key_identifier, "hash", issuer: issuer)
        try add(NID_authority_key_identifier, "keyid", issuer: issuer)
    }

    func add(_ marker: CertificateTemplate.Marker) throws(X509Error) {
        guard let oid = OIDHandle(marker.oid) else {
            throw .malformedCertificate("\"\(marker.oid)\" is no object identifier")
        }
        guard let value = unsafe ASN1_OCTET_STRING_new() else { throw .library("make an extension") }
        defer { unsafe ASN1_OCTET_STRING_free(value) }
        let null: [UInt8] = [0x05, 0x00]
        try Self.check(unsafe ASN1_OCTET_STRING_set(value, null, Int32(null.count)), "make an extension")
        try unsafe append(X509_EXTENSION_create_by_OBJ(nil, oid.pointer, marker.isCritical ? 1 : 0, value))
    }

    /// Signs with `key` and `digest`; nil: the digest that belongs to the key's curve.
    func sign(with key: ECPrivateKey, digest: SignatureDigest?) throws(X509Error) -> Certificate {
        let algorithm = unsafe digest?.algorithm ?? key.curve.digest
        guard unsafe X509_sign(certificate, key.handle.pointer, algorithm) > 0 else {
            throw .library("sign a certificate")
        }
        guard unsafe X509_up_ref(certificate) == 1 else { throw .library("sign a certificate") }
        return try Certificate(der: unsafe CertificateHandle(taking: certificate).encoded())
    }

    private func add(_ identifier: Int32, _ value: String, issuer: Certificate? = nil) throws(X509Error) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer?.handle.pointer ?? certificate, certificate, nil, nil, 0)
        try unsafe append(X509V3_EXT_conf_nid(nil, &context, identifier, value))
    }

    private func append(_ made: OpaquePointer?) throws(X509Error) {
        guard let made = unsafe made else { throw .library("make an extension") }
        defer { unsafe X509_EXTENSION_free(made) }
        try Self.check(unsafe X509_add_ext(certificate, made, -1), "add an extension")
    }

    private static func check(_ status: Int32, _ operation: String) throws(X509Error) {
        guard status == 1 else { throw .library(operation) }
    }
}
