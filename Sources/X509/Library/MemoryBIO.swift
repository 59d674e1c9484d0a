internal import CLibcrypto

/// Scoped use of libcrypto's memory streams, which its PEM and text functions read and write.
enum MemoryBIO {
    /// Calls `body` with a stream that reads `bytes`; the stream is gone afterwards.
    static func reading<Result>(
        _ bytes: [UInt8],
        _ body: (OpaquePointer) throws(X509Error) -> Result
    ) throws(X509Error) -> Result {
        guard bytes.count <= Int(Int32.max) else { throw .malformedKey("the text is longer than 2 GiB") }
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(X509Error) in
            guard let stream = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else {
                throw .library("open a memory stream")
            }
            defer { unsafe _ = BIO_free(stream) }
            return try unsafe body(stream)
        }
    }

    /// What `body` wrote to a fresh stream; `body` returns whether libcrypto was content.
    static func written(_ operation: String, _ body: (OpaquePointer) -> Bool) throws(X509Error) -> [UInt8] {
        guard let stream = unsafe BIO_new(BIO_s_mem()) else { throw .library("open a memory stream") }
        defer { unsafe _ = BIO_free(stream) }
        guard unsafe body(stream) else { throw .library(operation) }
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe entitled_BIO_memory(stream, &start)
        guard let start = unsafe start, count > 0 else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
