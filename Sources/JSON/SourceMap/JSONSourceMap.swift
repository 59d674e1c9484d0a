/// Where each value of a document stands, for messages that name line and column.
///
/// Built from the bytes of the document, beside the tree: a program checks the tree and asks the map only when it has
/// something to complain about.
package struct JSONSourceMap: Sendable {
    /// A name that occurs more than once in one object.
    package struct DuplicateKey: Sendable, Hashable {
        /// The path of the member.
        package let path: [JSONPathElement]
        /// Where the name stands the first time.
        package let first: SourcePosition
        /// Where it stands again.
        package let again: SourcePosition
    }

    private struct Node {
        let offset: Int
        /// The place of the member's name; the value's own place for elements and the whole document.
        let keyOffset: Int
        var children: [JSONPathElement: Int] = [:]
    }

    /// Every second and later occurrence of a name in an object, in document order.
    package private(set) var duplicateKeys: [DuplicateKey] = []
    private var nodes: [Node] = []
    private let bytes: [UInt8]

    /// Walks the document.
    ///
    /// - Throws: `JSONSyntaxError` for what `JSONParser` refuses too.
    package init(_ bytes: [UInt8], maxDepth: Int = JSONParser.defaultMaximumDepth) throws(JSONSyntaxError) {
        self.bytes = bytes
        var cursor = JSONCursor(maxDepth: maxDepth)
        let span = bytes.span
        do throws(JSONFault) {
            try cursor.begin(span)
            _ = try walk(span, &cursor, path: [], keyOffset: cursor.offset)
            try cursor.end(span)
        } catch {
            throw JSONSyntaxError(error, in: span)
        }
    }

    /// Where the value at a path begins; nil when there is none. Of a repeated name the last value is meant.
    package func position(of path: [JSONPathElement]) -> SourcePosition? {
        node(path).map { SourcePosition(offset: $0.offset, in: bytes.span) }
    }

    /// Where the name of the member at a path begins; for an element the place of its value.
    package func keyPosition(of path: [JSONPathElement]) -> SourcePosition? {
        node(path).map { SourcePosition(offset: $0.keyOffset, in: bytes.span) }
    }

    /// Where the value at a path begins, or the nearest value around it when the path leads nowhere: the place to name
    /// when something is missing.
    package func nearestPosition(to path: [JSONPathElement]) -> SourcePosition {
        var index = 0
        for element in path {
            guard let next = nodes[index].children[element] else { break }
            index = next
        }
        return SourcePosition(offset: nodes[index].offset, in: bytes.span)
    }

    private func node(_ path: [JSONPathElement]) -> Node? {
        var index = 0
        for element in path {
            guard let next = nodes[index].children[element] else { return nil }
            index = next
        }
        return nodes[index]
    }

    private mutating func walk(
        _ bytes: Span<UInt8>,
        _ cursor: inout JSONCursor,
        path: [JSONPathElement],
        keyOffset: Int
    ) throws(JSONFault) -> Int {
        let index = nodes.count
        nodes.append(Node(offset: cursor.offset, keyOffset: keyOffset))
        guard cursor.offset < bytes.count else { throw cursor.fault(.unexpectedEnd) }
        switch bytes[cursor.offset] {
        case UInt8(ascii: "{"):
            try cursor.checkDepth(path.count + 1)
            guard try cursor.enter(UInt8(ascii: "}"), bytes) else { break }
            repeat {
                let keyOffset = cursor.offset
                let element = JSONPathElement.key(try cursor.string(bytes).text(bytes))
                if let first = nodes[index].children[element] {
                    duplicateKeys.append(
                        DuplicateKey(
                            path: path + [element],
                            first: SourcePosition(offset: nodes[first].keyOffset, in: bytes),
                            again: SourcePosition(offset: keyOffset, in: bytes)
                        )
                    )
                }
                try cursor.colon(bytes)
                let child = try walk(bytes, &cursor, path: path + [element], keyOffset: keyOffset)
                nodes[index].children[element] = child
            } while try cursor.moreElements(UInt8(ascii: "}"), bytes)
        case UInt8(ascii: "["):
            try cursor.checkDepth(path.count + 1)
            guard try cursor.enter(UInt8(ascii: "]"), bytes) else { break }
            var position = 0
            repeat {
                let element = JSONPathElement.index(position)
                nodes[index].children[element] = try walk(
                    bytes,
                    &cursor,
                    path: path + [element],
                    keyOffset: cursor.offset
                )
                position += 1
            } while try cursor.moreElements(UInt8(ascii: "]"), bytes)
        default:
            try cursor.skipValue(bytes, depth: path.count)
        }
        return index
    }
}
