/// One field of a result as it lies in memory that belongs to somebody else.
@unsafe
struct FieldBytes {
    /// Nil for SQL NULL.
    var start: UnsafeRawPointer?
    var count: Int
    /// `unspecified` where the source does not tell, as in COPY: then only the length is checked.
    var type: PostgresType

    @inline(__always)
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type, at offset: Int = 0) -> Value {
        unsafe Value(bigEndian: start.unsafelyUnwrapped.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    @inline(__always)
    func isOf(_ expected: PostgresType) -> Bool {
        unsafe type == expected || type == .unspecified
    }

    var buffer: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}
