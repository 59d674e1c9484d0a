/// Encodes a statement's parameters into one run of bytes and lays out the three arrays libpq takes. Kept for the life
/// of a session, so that running a statement allocates nothing.
@safe
final class ParameterBuffer {
    private let buffer = WireBuffer()
    private var values: [UnsafePointer<CChar>?] = unsafe []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var offsets: [Int] = []

    /// The number of bytes of the last encoding.
    var byteCount: Int { buffer.count }

    /// Encodes `parameters` and lends the arrays to `body`: count, values, lengths, formats (all binary).
    func withEncoded<Result>(
        _ parameters: [PostgresValue],
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) throws(PostgresError) -> Result {
        guard parameters.count <= 65_535 else {
            throw PostgresError(.protocol, "a statement takes at most 65535 parameters; use arrays with unnest")
        }
        buffer.removeAll()
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        for parameter in parameters {
            let offset = buffer.count
            let isPresent = parameter.encode(into: buffer)
            guard buffer.count - offset <= 1 << 30 else {
                throw PostgresError(.protocol, "a parameter may have at most 1 GiB")
            }
            offsets.append(isPresent ? offset : -1)
            lengths.append(Int32(buffer.count - offset))
        }
        while formats.count < parameters.count { formats.append(1) }
        return unsafe buffer.withBytes { bytes in
            unsafe values.removeAll(keepingCapacity: true)
            for offset in offsets {
                let start = unsafe offset < 0 ? nil : bytes.baseAddress.map { unsafe $0 + offset }
                unsafe values.append(start?.assumingMemoryBound(to: CChar.self))
            }
            return unsafe body(Int32(parameters.count), values, lengths, formats)
        }
    }
}
