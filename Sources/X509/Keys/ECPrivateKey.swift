internal import CLibcrypto

/// A private key on one of the ``EllipticCurve``s, as certificate authorities hold it.
package struct ECPrivateKey: Sendable {
    let handle: EVPKeyHandle

    /// The curve it belongs to.
    package let curve: EllipticCurve

    /// Makes a new key.
    ///
    /// Throws only when libcrypto has no memory or no randomness.
    package static func generate(_ curve: EllipticCurve) throws(X509Error) -> ECPrivateKey {
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { throw .library("make a key") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard
            unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, curve.identifier) == 1,
            unsafe EVP_PKEY_keygen(context, &key) == 1,
            let key = unsafe key
        else { throw .library("make a key") }
        return ECPrivateKey(handle: unsafe EVPKeyHandle(taking: key), curve: curve)
    }

    private init(handle: EVPKeyHandle, curve: EllipticCurve) {
        self.handle = handle
        self.curve = curve
    }

    /// Reads an unencrypted private key in PEM form, PKCS#8 or `EC PRIVATE KEY`.
    ///
    /// Throws ``X509Error/malformedKey(_:)`` when it is none, or of another curve.
    package init(pem: String) throws(X509Error) {
        let handle = try EVPKeyHandle.privateKey(pem: pem)
        var name = [CChar](repeating: 0, count: 64)
        let isNamed = unsafe EVP_PKEY_get_group_name(handle.pointer, &name, name.count, nil) == 1
        LibraryErrors.discard()
        let identifier = unsafe isNamed ? OBJ_txt2nid(name) : NID_undef
        guard let curve = EllipticCurve.allCases.first(where: { $0.identifier == identifier }) else {
            throw .malformedKey("a key on P-256 or P-384 is expected")
        }
        self.init(handle: handle, curve: curve)
    }

    /// The key as unencrypted PKCS#8 PEM text.
    package func pem() throws(X509Error) -> String { try handle.privateKeyPEM() }
}
