import JSON

extension JSONValue {
    /// Text of 1 to so many bytes without U+0000, which PostgreSQL's text cannot hold; nil for anything else.
    func parameterText(maximumBytes: Int) -> String? {
        guard let text = stringValue, (1...maximumBytes).contains(text.utf8.count), !Self.hasZero(text) else {
            return nil
        }
        return text
    }

    /// Looks at every byte without a way out in between, which the compiler makes many at a time of: signed texts are long.
    private static func hasZero(_ text: String) -> Bool {
        let bytes = text.utf8.span
        var found: UInt8 = 0
        for index in bytes.indices { found |= bytes[index] == 0 ? 1 : 0 }
        return found != 0
    }
}
