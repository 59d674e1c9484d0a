/// A growing run of bytes in network order: where parameters and COPY rows are encoded.
///
/// It owns its memory and is kept for the life of a session, so encoding a statement's parameters allocates nothing.
/// Every write makes room first, so nothing is written outside the allocation.
@safe
final class WireBuffer {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 512) {
        self.capacity = max(capacity, 16)
        unsafe base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit {
        unsafe base.deallocate()
    }

    /// Forgets the contents. Memory beyond `keeping` bytes, left over from an unusually large use, is given back.
    func removeAll(keeping limit: Int = 1 << 20) {
        count = 0
        guard capacity > limit else { return }
        unsafe base.deallocate()
        capacity = limit
        unsafe base = .allocate(byteCount: limit, alignment: 16)
    }

    /// Lends the contents; the pointer is valid only inside `body` and only until the next write.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    @inline(__always)
    private func reserve(_ additional: Int) {
        if count + additional > capacity { grow(additional) }
    }

    @inline(never)
    private func grow(_ additional: Int) {
        let larger = max(capacity * 2, count + additional)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe moved.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    @inline(__always)
    func append<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        let size = MemoryLayout<Value>.size
        reserve(size)
        unsafe base.storeBytes(of: value.bigEndian, toByteOffset: count, as: Value.self)
        count += size
    }

    @inline(__always)
    func append(bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let start = bytes.baseAddress {
            unsafe (base + count).copyMemory(from: start, byteCount: bytes.count)
            count += bytes.count
        }
    }

    func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append(bytes: $0) }
    }

    func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Writes over four bytes that were appended earlier: a length that is known only afterwards.
    func patch(_ value: Int32, at offset: Int) {
        precondition(offset >= 0 && offset + 4 <= count, "a patch must lie inside what was written")
        unsafe base.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Int32.self)
    }
}
