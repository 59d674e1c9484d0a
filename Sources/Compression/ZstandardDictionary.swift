internal import CZstd

/// Compresses short texts of one kind, each by itself, with a dictionary of what is usual in them: Zstandard frames
/// (RFC 8878) with a raw-content dictionary, as `zstd -D` reads and writes them.
package final class ZstandardDictionary: Sendable {
    private let handle: DictionaryHandle
    private let compressors = HandlePool { () throws(ZstandardError) in try CompressionContext() }
    private let decompressors = HandlePool { () throws(ZstandardError) in try DecompressionContext() }

    /// - Parameters:
    ///   - content: bytes that are likely in what is compressed, the likeliest at the end.
    ///   - level: libzstd's, from 1 (fast) to 22.
    /// - Throws: when there is no memory for it.
    package init(content: [UInt8], level: Int) throws(ZstandardError) {
        handle = try DictionaryHandle(content, level: Int32(level))
    }

    /// One frame that holds `bytes`.
    package func compress(_ bytes: [UInt8]) throws(ZstandardError) -> [UInt8] {
        try compressors.with { context throws(ZstandardError) in
            var code = 0
            let frame = unsafe [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { output, count in
                code = unsafe bytes.withUnsafeBytes { input in
                    unsafe ZSTD_compress_usingCDict(
                        context.pointer,
                        output.baseAddress,
                        output.count,
                        input.baseAddress,
                        input.count,
                        handle.forCompression
                    )
                }
                count = ZSTD_isError(code) == 0 ? code : 0
            }
            try check(code)
            return frame
        }
    }

    /// The bytes that a frame holds.
    ///
    /// - Parameter limit: the most bytes that are accepted.
    /// - Throws: `ZstandardError` for anything but one whole frame that says how long its content is.
    package func decompress(_ frame: Span<UInt8>, limit: Int) throws(ZstandardError) -> [UInt8] {
        let size = unsafe frame.withUnsafeBytes { unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        // The two highest values are codes for "unknown" and "no frame".
        guard size <= UInt64(limit) else { throw ZstandardError("this is no frame of at most \(limit) bytes") }
        return try decompressors.with { context throws(ZstandardError) in
            var code = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { output, count in
                code = unsafe frame.withUnsafeBytes { input in
                    unsafe ZSTD_decompress_usingDDict(
                        context.pointer,
                        output.baseAddress,
                        output.count,
                        input.baseAddress,
                        input.count,
                        handle.forDecompression
                    )
                }
                count = ZSTD_isError(code) == 0 ? code : 0
            }
            try check(code)
            guard bytes.count == Int(size) else { throw ZstandardError("the frame is shorter than it says") }
            return bytes
        }
    }

    private func check(_ code: Int) throws(ZstandardError) {
        guard ZSTD_isError(code) != 0 else { return }
        throw ZstandardError(unsafe String(cString: ZSTD_getErrorName(code)))
    }
}
