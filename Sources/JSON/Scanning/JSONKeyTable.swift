/// The names a scanner looks for, found in constant time without building a string.
///
/// Made once, as a static constant, and shared.
package struct JSONKeyTable: Sendable {
    private let names: [String]
    /// The bytes of all names one after the other, and where each of them stands.
    private let nameBytes: [UInt8]
    private let ranges: [Range<Int>]
    /// Open addressing: the index of a key plus one, zero for a free slot.
    private let slots: [UInt16]

    /// A table of distinct names; their order gives the indices.
    package init(_ names: [String]) {
        self.names = names
        var nameBytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        var size = 16
        while size < names.count * 4 { size *= 2 }
        var slots = [UInt16](repeating: 0, count: size)
        for (index, name) in names.enumerated() {
            var slot = JSONKeyTable.hash(name.utf8Span.span) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt16(index + 1)
            ranges.append(nameBytes.count..<(nameBytes.count + name.utf8.count))
            nameBytes.append(contentsOf: name.utf8)
        }
        self.nameBytes = nameBytes
        self.ranges = ranges
        self.slots = slots
    }

    /// The index of a member's name; nil when it is not one of the table.
    package func index(of key: JSONStringToken, in scanner: JSONScanner) -> Int? {
        if key.hasEscapes {
            let text = scanner.text(key)
            return names.firstIndex { $0.hasSameBytes(as: text) }
        }
        let bytes = scanner.bytes
        let name = bytes.span.extracting(key.range)
        let mask = slots.count - 1
        var slot = JSONKeyTable.hash(name) & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if nameBytes.span.extracting(ranges[index]).equals(name) { return index }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Length, ends and middle tell names of one format apart; a collision only costs a comparison.
    @inline(__always)
    private static func hash(_ name: Span<UInt8>) -> Int {
        guard !name.isEmpty else { return 0 }
        let count = name.count
        let mixed =
            count &* 31 &+ Int(name[0]) &* 7 &+ Int(name[count - 1]) &* 131 &+ Int(name[count / 2]) &* 1031
            &+ Int(name[count / 4]) &* 523
        return mixed ^ (mixed >> 7)
    }
}
