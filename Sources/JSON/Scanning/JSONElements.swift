/// The elements of an array as places in the document, for hot paths that build no tree.
package struct JSONElements: Sendable {
    /// The first elements, as many as were asked for.
    package let tokens: [JSONToken]
    /// How many elements the array has.
    package let count: Int

    /// Walks a document that is an array, checking all of it as strictly as `JSONParser`.
    ///
    /// - Parameter limit: how many places are kept; the elements after them are only counted.
    /// - Throws: `JSONSyntaxError`, with the reason `notAnArray` for another kind of value.
    package init(
        _ bytes: [UInt8],
        limit: Int = Int.max,
        maxDepth: Int = JSONParser.defaultMaximumDepth
    ) throws(JSONSyntaxError) {
        let span = bytes.span
        var cursor = JSONCursor(maxDepth: maxDepth)
        do throws(JSONFault) {
            try cursor.begin(span)
            if span[cursor.offset] != UInt8(ascii: "[") { throw cursor.fault(.notAnArray) }
            (tokens, count) = try cursor.elements(span, limit: limit)
            try cursor.end(span)
        } catch {
            throw JSONSyntaxError(error, in: span)
        }
    }

    /// The elements of an array whose place was found by scanning these bytes; nil for another kind of value.
    package init?(_ value: JSONToken, in bytes: [UInt8]) {
        guard value.kind == .array else { return nil }
        var cursor = JSONCursor(maxDepth: JSONCursor.hardMaximumDepth)
        cursor.offset = value.range.lowerBound
        guard let found = try? cursor.elements(bytes.span, limit: Int.max) else { return nil }
        (tokens, count) = found
    }
}

extension JSONCursor {
    /// Steps over the array at the cursor.
    fileprivate mutating func elements(
        _ bytes: Span<UInt8>,
        limit: Int
    ) throws(JSONFault) -> (tokens: [JSONToken], count: Int) {
        var tokens: [JSONToken] = []
        guard try enter(UInt8(ascii: "]"), bytes) else { return ([], 0) }
        var count = 0
        repeat {
            let token = try token(bytes, depth: 1)
            if count < limit { tokens.append(token) }
            count += 1
        } while try moreElements(UInt8(ascii: "]"), bytes)
        return (tokens, count)
    }
}
