/// One attribute of a receipt or of a purchase in it: a number that says what it is, and its value in BER.
struct ReceiptAttribute {
    /// What the attribute is; see ``AppReceipt`` and ``ReceiptPurchase``.
    let type: Int64
    /// The value, itself BER for all attributes that are looked at.
    let value: [UInt8]

    /// The attributes of a set of sequences of type, version and value, in their order.
    static func all(in bytes: [UInt8]) throws(BERError) -> [ReceiptAttribute] {
        var outer = BERReader(bytes)
        let set = try outer.next(BERValue.Tag.set, "a set of attributes")
        guard try outer.next() == nil else { throw BERError("something follows the set of attributes") }
        var attributes: [ReceiptAttribute] = []
        var members = outer.reader(in: set)
        while let member = try members.next() {
            guard member.tag == BERValue.Tag.sequence else { throw BERError("an attribute is no sequence") }
            var fields = members.reader(in: member)
            guard let type = fields.integer(try fields.next(BERValue.Tag.integer, "an attribute's type")) else {
                throw BERError("an attribute's type is too large")
            }
            _ = try fields.next(BERValue.Tag.integer, "an attribute's version")
            guard let value = try fields.next() else { throw BERError("an attribute has no value") }
            attributes.append(ReceiptAttribute(type: type, value: try fields.octets(value)))
        }
        return attributes
    }

    // What was signed is never refused for the shape of one value: one of another kind counts as absent.

    /// The value as a number.
    var integer: Int64? { single { $0.integer($1) } }

    /// The value as text; an empty one is none, nor is one with U+0000, which PostgreSQL cannot store.
    var text: String? { single { $0.text($1) }.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 } }

    /// The value as an identifier: text that is not too long to be a key.
    var identifier: String? { text.flatMap { $0.utf8.count <= MemberReader.identifierLimit ? $0 : nil } }

    private func single<Content>(_ read: (BERReader, BERValue) -> Content?) -> Content? {
        var reader = BERReader(value)
        guard let value = try? reader.next() else { return nil }
        return read(reader, value)
    }
}
