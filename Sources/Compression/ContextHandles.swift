internal import CZstd

/// Owns one context for compression. Contexts hold tables of some hundred kilobytes, so they are used again.
///
/// Unchecked: the pool gives a context to one call at a time.
@safe final class CompressionContext: @unchecked Sendable {
    let pointer: OpaquePointer

    init() throws(ZstandardError) {
        guard let pointer = unsafe ZSTD_createCCtx() else { throw ZstandardError("no memory for a context") }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe _ = ZSTD_freeCCtx(pointer)
    }
}

/// Owns one context for decompression.
///
/// Unchecked: the pool gives a context to one call at a time.
@safe final class DecompressionContext: @unchecked Sendable {
    let pointer: OpaquePointer

    init() throws(ZstandardError) {
        guard let pointer = unsafe ZSTD_createDCtx() else { throw ZstandardError("no memory for a context") }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe _ = ZSTD_freeDCtx(pointer)
    }
}
