/// One value in BER: what it is, and where its contents lie.
struct BERValue: Hashable {
    /// The first byte of a value, as far as app receipts use them (ITU-T X.690 section 8.1.2).
    enum Tag {
        static let integer: UInt8 = 0x02
        static let octetString: UInt8 = 0x04
        static let utf8String: UInt8 = 0x0C
        static let printableString: UInt8 = 0x13
        static let ia5String: UInt8 = 0x16
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31
        /// Set in the tag of a value that is made of values.
        static let constructed: UInt8 = 0x20
    }

    /// Class, form and number in one byte.
    let tag: UInt8
    /// Where the contents lie, without the mark that ends contents of no stated length.
    let contents: Range<Int>
    /// How many values this one lies within.
    let depth: Int
}
