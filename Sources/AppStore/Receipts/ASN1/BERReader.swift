/// Reads the values that follow each other in a stretch of BER (ITU-T X.690), lengths without a number included.
///
/// It takes any bytes: nothing outside them is read, values nest at most `maximumDepth` deep, and the work is bounded by
/// the number of bytes times that depth.
struct BERReader {
    /// The bytes that all ranges are of.
    let bytes: [UInt8]
    private var position: Int
    private let end: Int
    private let depth: Int

    /// Receipts nest half as deep.
    static let maximumDepth = 16

    /// Reads `bytes` from the start.
    init(_ bytes: [UInt8]) {
        self.init(bytes, 0..<bytes.count, depth: 0)
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        self.depth = depth
    }

    /// A reader of the values that `value` is made of.
    func reader(in value: BERValue) -> BERReader {
        BERReader(bytes, value.contents, depth: value.depth + 1)
    }

    /// The next value; nil at the end.
    mutating func next() throws(BERError) -> BERValue? {
        guard position < end else { return nil }
        let (value, after) = try value(at: position, end: end, depth: depth)
        position = after
        return value
    }

    /// The next value, which must bear this tag.
    mutating func next(_ tag: UInt8, _ name: String) throws(BERError) -> BERValue {
        guard let value = try next(), value.tag == tag else { throw BERError("\(name) is expected") }
        return value
    }

    /// The bytes of an octet string, in one piece or in several (ITU-T X.690 section 8.7).
    func octets(_ value: BERValue) throws(BERError) -> [UInt8] {
        if value.tag == BERValue.Tag.octetString { return Array(bytes[value.contents]) }
        guard value.tag == BERValue.Tag.octetString | BERValue.Tag.constructed else {
            throw BERError("an octet string is expected")
        }
        var octets: [UInt8] = []
        var pieces = reader(in: value)
        while let piece = try pieces.next() { octets += try self.octets(piece) }
        return octets
    }

    /// An integer of up to eight bytes; nil for another kind of value, or a larger number.
    func integer(_ value: BERValue) -> Int64? {
        guard value.tag == BERValue.Tag.integer, (1...8).contains(value.contents.count) else { return nil }
        let first = bytes[value.contents.lowerBound]
        return bytes[value.contents].reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
    }

    /// The text of a string value; nil for another kind of value, or bytes that are no UTF-8.
    func text(_ value: BERValue) -> String? {
        switch value.tag {
        case BERValue.Tag.utf8String, BERValue.Tag.printableString, BERValue.Tag.ia5String:
            String(validating: bytes[value.contents], as: UTF8.self)
        default: nil
        }
    }

    private func value(at start: Int, end: Int, depth: Int) throws(BERError) -> (BERValue, after: Int) {
        guard depth < Self.maximumDepth else { throw BERError("values nest more than \(Self.maximumDepth) deep") }
        let tag = bytes[start]
        // Numbers above 30 take more bytes; nothing in a receipt has one. Tag 0 alone ends contents of no stated length.
        guard tag & 0x1F != 0x1F, tag != 0 else { throw BERError("a tag is not one that receipts use") }
        guard start + 1 < end else { throw BERError("a value ends after its tag") }
        let length = bytes[start + 1]
        var first = start + 2
        if length == 0x80 {
            guard tag & BERValue.Tag.constructed != 0 else { throw BERError("a simple value has no stated length") }
            let last = try endOfContents(from: first, end: end, depth: depth + 1)
            return (BERValue(tag: tag, contents: first..<last, depth: depth), last + 2)
        }
        var count = Int(length)
        if length > 0x80 {
            let size = Int(length & 0x7F)
            guard size <= 4, first + size <= end else { throw BERError("a length cannot be read") }
            count = bytes[first..<first + size].reduce(0) { $0 << 8 | Int($1) }
            first += size
        }
        guard count <= end - first else { throw BERError("a value is longer than what holds it") }
        return (BERValue(tag: tag, contents: first..<first + count, depth: depth), first + count)
    }

    /// The place of the two zero bytes that end contents of no stated length.
    private func endOfContents(from start: Int, end: Int, depth: Int) throws(BERError) -> Int {
        var position = start
        while position < end {
            if bytes[position] == 0 {
                guard position + 1 < end, bytes[position + 1] == 0 else { break }
                return position
            }
            position = try value(at: position, end: end, depth: depth).after
        }
        throw BERError("contents of no stated length have no end")
    }
}
