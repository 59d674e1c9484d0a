internal import CZstd

/// Owns one dictionary in the two forms that libzstd has made of it.
///
/// Unchecked: libzstd only reads from a dictionary after it was made (zstd.h, "ZSTD_CDict can be created once and
/// shared by multiple threads concurrently, since its usage is read-only").
@safe final class DictionaryHandle: @unchecked Sendable {
    let forCompression: OpaquePointer
    let forDecompression: OpaquePointer

    /// - Parameter bytes: raw content: bytes that are likely in what is compressed, the likeliest at the end.
    init(_ bytes: [UInt8], level: Int32) throws(ZstandardError) {
        let (compression, decompression) = unsafe bytes.withUnsafeBytes { bytes in
            unsafe (
                ZSTD_createCDict(bytes.baseAddress, bytes.count, level),
                ZSTD_createDDict(bytes.baseAddress, bytes.count)
            )
        }
        guard let compression = unsafe compression, let decompression = unsafe decompression else {
            unsafe _ = ZSTD_freeCDict(compression)
            unsafe _ = ZSTD_freeDDict(decompression)
            throw ZstandardError("no memory for a dictionary")
        }
        unsafe forCompression = compression
        unsafe forDecompression = decompression
    }

    deinit {
        unsafe _ = ZSTD_freeCDict(forCompression)
        unsafe _ = ZSTD_freeDDict(forDecompression)
    }
}
