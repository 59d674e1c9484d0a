/// Writes values in DER (ITU-T X.690), the few kinds that an app receipt is made of.
enum DERWriter {
    /// A value with this tag and these contents.
    static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [tag] + length(contents.count) + contents
    }

    static func integer(_ value: Int64) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        // The shortest form: no first byte that only repeats the sign.
        while bytes.count > 1, bytes[0] == (bytes[1] & 0x80 == 0 ? 0 : 0xFF) { bytes.removeFirst() }
        return self.value(0x02, bytes)
    }

    static func octetString(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

    static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

    static func ia5Text(_ text: String) -> [UInt8] { value(0x16, Array(text.utf8)) }

    static func sequence(_ values: [UInt8]...) -> [UInt8] { value(0x30, Array(values.joined())) }

    static func set(_ values: [[UInt8]]) -> [UInt8] { value(0x31, Array(values.joined())) }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
