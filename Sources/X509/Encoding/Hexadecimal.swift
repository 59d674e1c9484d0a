/// Lower-case hexadecimal text.
package enum Hexadecimal {
    /// Two digits for every byte.
    package static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        let digits: StaticString = "0123456789abcdef"
        return unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { output in
            for index in 0..<bytes.count {
                let byte = unsafe Int(bytes[index])
                unsafe output[index * 2] = digits.utf8Start[byte >> 4]
                unsafe output[index * 2 + 1] = digits.utf8Start[byte & 15]
            }
            return bytes.count * 2
        }
    }

    /// Two digits for every byte.
    package static func text(_ bytes: [UInt8]) -> String {
        unsafe bytes.withUnsafeBytes { unsafe text($0) }
    }
}
