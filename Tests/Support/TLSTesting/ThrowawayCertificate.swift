/// A fresh P-256 key with a certificate, for a test.
package struct ThrowawayCertificate: Sendable {
    /// The certificate, in PEM.
    package let certificatePEM: String
    /// Its key, in PEM, not encrypted.
    package let privateKeyPEM: String

    struct NotMade: Error {}

    /// One that is signed by itself.
    ///
    /// - Parameter days: how long it holds from now on; negative: it has ended.
    package static func make(
        _ name: String = "localhost",
        isAuthority: Bool = false,
        days: Int = 1
    ) async throws -> ThrowawayCertificate {
        let extensions = "basicConstraints=critical,CA:\(isAuthority ? "TRUE" : "FALSE")\n"
        return try await make(name, extensions, days, issuer: nil)
    }

    /// One that this one signs.
    ///
    /// - Parameter purpose: its extended key usage.
    package func issue(_ name: String, purpose: String, days: Int = 1) async throws -> ThrowawayCertificate {
        let extensions = "basicConstraints=critical,CA:FALSE\nextendedKeyUsage=\(purpose)\n"
        return try await Self.make(name, extensions, days, issuer: self)
    }

    private static func make(
        _ name: String,
        _ extensions: String,
        _ days: Int,
        issuer: ThrowawayCertificate?
    ) async throws -> ThrowawayCertificate {
        let key = try await OpenSSL.run(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
        var texts = ["key": key, "extensions": extensions]
        texts["issuer"] = issuer?.certificatePEM
        texts["issuerKey"] = issuer?.privateKeyPEM
        let certificate = try await OpenSSL.withFiles(texts) { files in
            let key = files["key"] ?? ""
            let request = try await OpenSSL.run(["req", "-new", "-subj", "/CN=\(name)", "-key", key])
            let signer =
                files["issuer"].map { ["-CA", $0, "-CAkey", files["issuerKey"] ?? ""] } ?? ["-signkey", key]
            return try await OpenSSL.run(
                ["x509", "-req", "-days", "\(days)", "-set_serial", "\(UInt32.random(in: 1...UInt32.max))"]
                    + ["-extfile", files["extensions"] ?? ""] + signer,
                input: request
            )
        }
        guard certificate.contains("BEGIN CERTIFICATE"), key.contains("PRIVATE KEY") else { throw NotMade() }
        return ThrowawayCertificate(certificatePEM: certificate, privateKeyPEM: key)
    }
}
