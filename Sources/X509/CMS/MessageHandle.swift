internal import CLibcrypto

/// Owns one `CMS_ContentInfo`. It is not Sendable: libcrypto changes a message while it verifies it.
@safe final class MessageHandle {
    let pointer: OpaquePointer

    /// Takes ownership of `pointer`.
    init(taking pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe CMS_ContentInfo_free(pointer)
    }

    /// Reads exactly one message in BER or DER, lengths without a number included (ITU-T X.690 section 8.1.3.6); nil
    /// for anything else.
    static func read(_ bytes: [UInt8]) -> MessageHandle? {
        defer { LibraryErrors.discard() }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = unsafe start
            guard let pointer = unsafe d2i_CMS_ContentInfo(nil, &cursor, buffer.count) else { return nil }
            let handle = unsafe MessageHandle(taking: pointer)
            return unsafe cursor == start + buffer.count ? handle : nil
        }
    }
}
