internal import CLibcrypto

/// Owns one `ASN1_OBJECT` made from dotted digits.
@safe final class OIDHandle {
    let pointer: OpaquePointer

    /// Nil when `dotted` is no object identifier such as `1.2.840.113635`.
    init?(_ dotted: String) {
        guard let object = unsafe OBJ_txt2obj(dotted, 1) else {
            LibraryErrors.discard()
            return nil
        }
        unsafe pointer = unsafe object
    }

    deinit {
        unsafe ASN1_OBJECT_free(pointer)
    }
}
